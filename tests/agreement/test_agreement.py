"""The backends against each other, on kernels that nobody wrote."""

import pytest
from agreeing import check
from choices import of_hypothesis
from hypothesis import given, settings
from hypothesis import strategies as st
from drawing import THEMES

THOROUGH = settings.default.max_examples == settings.get_profile("thorough").max_examples
EXTENT = settings(settings.get_profile("thorough" if THOROUGH else "agreement"))


@st.composite
def drawn(draw, theme: str):
    return THEMES[theme](of_hypothesis(draw))


def agreement(theme: str):
    """A test of one theme. Each is a function of its own, so that workers share them."""

    @pytest.mark.parametrize("backend", ["host", pytest.param("cuda", marks=pytest.mark.gpu)])
    @EXTENT
    @given(kernel=drawn(theme))
    def test(kernel, backend, tmp_path_factory):
        check(kernel, tmp_path_factory.mktemp(theme), backend)

    return test


test_integers = agreement("integers")
test_floats = agreement("floats")
test_truth = agreement("truth")
test_scalars = agreement("scalars")
test_programs = agreement("programs")
