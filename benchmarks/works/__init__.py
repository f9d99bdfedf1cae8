"""The works by family; each function makes one at any size, so that tests can ask for small ones."""
