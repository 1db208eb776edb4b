"""Who is let in, and with which headers everyone is sent away."""

import re

import pytest

from kernelscribe.web.guard import COOKIE, POLICY
from serving import serving

TOKEN = "k3y"  # noqa: S105


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("guard")) as found:
        yield found


@pytest.fixture(scope="module")
def locked(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("locked"), token=TOKEN) as found:
        yield found


@pytest.mark.parametrize("path", ["/", "/history", "/nowhere", "/api/nowhere", "/static/app.css", "/jobs/x", "/static/../app.py"])
def test_fault_71_every_answer_has_the_headers(client, path):
    answer = client.ask("GET", path)
    assert answer.headers["content-security-policy"] == POLICY
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"
    assert "server" not in answer.headers


def test_the_policy_allows_no_host():
    sources = {source for rule in POLICY.split("; ") for source in rule.split(" ")[1:]}
    assert sources == {"'none'", "'self'", "data:"}
    assert "script-src 'self';" in POLICY
    assert "frame-ancestors 'none'" in POLICY


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:PORT",
        "127.0.0.1.evil.example",
        "localhost.evil.example:PORT",
        "",
        "a b",
        "[::1",
        "192.0.2.1",
    ],
)
def test_fault_71_other_names_are_refused(client, host):
    answer = client.ask("GET", "/api/jobs/x", headers={"Host": host.replace("PORT", str(client.port))})
    assert answer.status == 403


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "LOCALHOST"])
def test_names_of_this_machine_are_ours(client, host):
    assert client.ask("GET", "/", headers={"Host": f"{host}:{client.port}"}).status == 200


def test_two_hosts_are_none(client):
    request = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{client.port}\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
    assert re.match(rb"HTTP/1.1 (400|403)", client.raw(request.encode()))


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1:PORT"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://127.0.0.1:PORT", "Sec-Fetch-Site": "cross-site"},
    ],
)
@pytest.mark.parametrize("method", ["POST", "PATCH", "DELETE"])
def test_fault_71_pages_elsewhere_change_nothing(client, method, headers):
    told = {name: value.replace("PORT", str(client.port)) for name, value in headers.items()}
    answer = client.ask(method, "/api/jobs", {}, headers=told)
    assert answer.status == 403
    assert "another page" in answer.wrong


@pytest.mark.parametrize("headers", [{}, {"Origin": "http://127.0.0.1:PORT"}, {"Sec-Fetch-Site": "same-origin"}])
def test_our_own_pages_may(client, headers):
    told = {name: value.replace("PORT", str(client.port)) for name, value in headers.items()}
    assert client.ask("POST", "/api/examples/mauna_loa", {}, headers=told).status == 201


def test_links_from_elsewhere_open_pages(client):
    assert client.ask("GET", "/", headers={"Sec-Fetch-Site": "cross-site"}).status == 200


@pytest.mark.parametrize("path", ["/", "/api/jobs/x", "/history", "/?token=wrong", "/?token="])
def test_without_the_token_nothing_is_shown(locked, path):
    answer = locked.ask("GET", path)
    assert answer.status == 401
    assert "token that kernelscribe printed" in answer.text
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("cookie", ["wrong", "", "k3", "k3yy", '"', "ü"])
def test_a_wrong_token_is_none(locked, cookie):
    assert locked.ask("GET", "/", headers={"Cookie": f"{COOKIE}={cookie}".encode()}).status == 401


def test_the_token_moves_from_the_address_into_a_cookie(locked):
    answer = locked.ask("GET", f"/history?token={TOKEN}&a=1")
    assert answer.status == 303
    assert answer.headers["location"] == "/history?a=1"
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert locked.ask("GET", "/history", headers={"Cookie": cookie.split(";")[0]}).status == 200


def test_the_token_leads_nowhere_else(locked):
    assert locked.ask("GET", f"//evil.example/?token={TOKEN}").headers["location"] == "/evil.example/"


def test_programs_send_the_token_in_a_header(locked):
    assert locked.ask("GET", "/", headers={"Authorization": f"Bearer {TOKEN}"}).status == 200
    assert locked.ask("POST", f"/api/examples/mauna_loa?token={TOKEN}", {}).status == 401


def test_the_error_page_has_its_styles(locked):
    assert locked.ask("GET", "/static/app.css").status == 200
