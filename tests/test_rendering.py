"""Templates come out as Jinja fills them in."""

from pathlib import Path

import jinja2
import pytest

from tile2cpp import emit, rendering, resources
from tile2cpp.build import entry
from tile2cpp.build.launcher import launcher
from tile2cpp.signature import Signature
from tile2cpp.translate import translate

ROOT = Path(__file__).parents[1]
FILES = [*sorted((ROOT / "samples").glob("*.py")), *sorted((ROOT / "tests" / "golden" / "cases").glob("*.py"))]


def by_jinja(folder, template, facts, strip):
    options = {"undefined": jinja2.StrictUndefined, "trim_blocks": True, "lstrip_blocks": strip, "keep_trailing_newline": True}
    return jinja2.Environment(loader=jinja2.FileSystemLoader(folder), **options).get_template(template).render(**facts)


@pytest.fixture
def rendered(monkeypatch):
    """Every template that is filled in, as (name, facts, strip, text)."""
    found = []

    def render(template, facts, *, strip=False, general=rendering.render):
        text = general(template, facts, strip=strip)
        found.append((template, facts, strip, text))
        return text

    monkeypatch.setattr(rendering, "render", render)
    monkeypatch.setattr(emit, "render", render)
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_real_files(rendered, path):
    made = translate(path)
    entry.host_entry(made)
    entry.device_entry(made)
    if Signature.parse(made.signature):
        launcher(made)
    assert {template for template, *_ in rendered} == {file.name for file in resources.templates().iterdir()}
    for template, facts, strip, text in rendered:
        assert text == by_jinja(resources.templates(), template, facts, strip), template


FACTS = {"items": [("a", 1), ("b", 2), ("c", 3)], "empty": [], "yes": True, "no": False, "word": "w{{ x }}%}", "number": 7, "lists": [[1, 2], [], [3]]}


@pytest.mark.parametrize("strip", [False, True])
@pytest.mark.parametrize(
    "text",
    [
        "", "plain\n", "no line break", "{{ word }}", "a {{ number + 1 }} b\n\n", "{% if yes %}\nx\n{% endif %}\nrest\n", "{% if no %}x{% else %}y{% endif %}!\n",
        "{% if no %}\n1\n{% elif yes %}\n2\n{% else %}\n3\n{% endif %}\n", "{% for name, value in items %}\n  {{ name }} = {{ value }};\n{% endfor %}\n",
        "{% for x in empty %}\n{{ x }}\n{% endfor %}\nend", "{% for n, v in items %}{{ n }}{{ ', ' if not loop.last }}{% endfor %}\n",
        "{% for n, v in items %}{{ loop.index0 }}{{ '' if loop.last else ';' }}{% endfor %}", "{{ lists | length }} {{ yes | int }} {{ lists[0] | join('-') }}",
        "{% for l in lists %}{% for x in l %}{{ loop.index0 }}:{{ x }} {% endfor %}/{{ loop.index0 }}{{ loop.last }} {% endfor %}",
        "{% set form = '<%d %s>' %}\n{{ form | format(number, word) if yes else '' }}\n", "{ {{- number -}} }\n", "a \n {%- if yes -%} \n b \n {%- endif -%} \n c\n",
        "  {% if yes %}\n  x\n  {% endif %}\n  y\n", "x {% if yes %}\ny{% endif %}\n", "{{ ', %d' % number if number else '' }}", "#define A{% for l in lists %} {{ l }}{% endfor %}\n\nb\n",
        "{% if not no and number > 3 %}z{% endif %}\n\n\n{% if no %}{% endif %}\n",
    ],
)  # fmt: skip
def test_the_language(tmp_path, monkeypatch, text, strip):
    monkeypatch.setattr(resources, "templates", lambda: tmp_path)
    name = f"{abs(hash(text))}.jinja"
    (tmp_path / name).write_text(text)
    assert rendering.render(name, FACTS, strip=strip) == by_jinja(tmp_path, name, FACTS, strip)


def test_what_is_missing_or_unknown_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr(resources, "templates", lambda: tmp_path)
    (tmp_path / "missing.jinja").write_text("{{ absent }}")
    with pytest.raises(NameError, match="absent"):
        rendering.render("missing.jinja", FACTS)
    (tmp_path / "unknown.jinja").write_text("{% block a %}{% endblock %}")
    with pytest.raises(SyntaxError, match="block a"):
        rendering.render("unknown.jinja", FACTS)
