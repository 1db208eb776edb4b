"""Notes are facts: every code has its words, every face names options its own way, and files keep them."""

import json
from string import Formatter

import pytest

import kernelscribe as ks
from kernelscribe.codec import decode, encode
from kernelscribe.data import Note, read
from kernelscribe.data.notes import REMARKS
from kernelscribe.data.reading import reading_options
from kernelscribe.faces import Face
from kernelscribe.report.words.english.notes import CLAUSES, SENTENCES, sentence

GUESS = Note("target_guessed", {"column": "y"}, "target")


def test_every_code_has_its_words_and_none_has_others():
    assert set(SENTENCES) == set(REMARKS)
    assert set(CLAUSES) <= set(REMARKS)
    for code, words in SENTENCES.items():
        if isinstance(words, str):
            assert {name for _, name, _, _ in Formatter().parse(words) if name} <= REMARKS[code].values, code


def test_each_face_names_the_option_its_own_way():
    said = "The column y was taken for the target, as the last one of numbers"
    assert sentence(GUESS) == sentence(GUESS, Face.PYTHON) == f"{said}; target= names another."
    assert sentence(GUESS, Face.TERMINAL) == f"{said}; --target names another."
    assert sentence(GUESS, Face.PAGE) == f"{said}."
    assert ks.sentence(GUESS) == sentence(GUESS)


def test_a_value_that_is_proposed_for_an_option_is_written_as_the_face_writes_values():
    note = Note("numbers_as_times", {"column": "ts", "meaning": "ms"}, "date_format")
    said = "The numbers of ts were taken for milliseconds from 1970 on"
    assert sentence(note, Face.TERMINAL) == f"{said}; --date-format number leaves them as they are."
    assert sentence(note, Face.PYTHON) == f'{said}; date_format="number" leaves them as they are.'
    assert sentence(note, Face.PAGE) == f"{said}."


def test_names_of_columns_are_never_taken_for_placeholders():
    note = Note("target_guessed", {"column": "{target} {0} %s"}, "target")
    assert sentence(note).startswith("The column {target} {0} %s was taken")


@pytest.mark.parametrize("bad", [("no_such_code", {}), ("few_rows", {}), ("few_rows", {"rows": 3, "more": 1})])
def test_a_note_that_nobody_could_say_is_refused_at_once(bad):
    with pytest.raises(ValueError, match=bad[0]):
        Note(*bad)


def test_what_a_file_keeps_of_a_note_is_the_note(tmp_path):
    rows = [f"{day:02}/02/2020;{day};{day * day},5\n" for day in (*range(1, 10), 13)]
    (tmp_path / "a.csv").write_text("day;x;y\n" + "".join(rows))
    notes = read(tmp_path / "a.csv").notes
    codes = {"layout_found", "date_order_guessed", "target_guessed", "others_left_out", "uneven_steps"}
    assert codes <= {note.code for note in notes}
    assert {note.option for note in notes} - {None} <= set(reading_options())
    assert tuple(decode(Note, json.loads(json.dumps(encode(note), allow_nan=False))) for note in notes) == notes


def test_a_sentence_that_is_ready_stays_as_it_is():
    note = Note.plain("repair", "2 rows were {left} out.")
    assert (note.kind, sentence(note)) == ("repair", "2 rows were {left} out.")
