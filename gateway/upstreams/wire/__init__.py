"""The proxied hop: an HTTP/1.1 client of our own on asyncio and httptools, since every request pays for it.

`client.Client` is its face. Below it: `pool` keeps connections, `dial` opens them (`address`, `proxy`, `tls`), `connection` is
one of them, `exchange` is one request with its answer, `request` writes request heads, `faults` words what can go wrong.
"""
