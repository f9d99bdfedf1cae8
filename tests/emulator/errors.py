"""What a run may find."""


class EmulationError(Exception):
    """The program does something that is not allowed, or that the emulator does not know."""


class Hazard(EmulationError):
    """Something is touched that an instruction under way still reads or writes."""


class Deadlock(EmulationError):
    """No warp can go on, and nothing is under way that would change that."""
