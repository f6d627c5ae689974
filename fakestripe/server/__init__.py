"""The only room with sockets: it feeds requests to exchanges and performs their effects."""
