"""What can be said of data: components that are a noun with adjectives, and statements that are sums of them."""
