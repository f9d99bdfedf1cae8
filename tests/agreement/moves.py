"""Draws operations that move elements: shapes, joins, parts."""

from __future__ import annotations

import math

from values import SHAPES, Value, following


class Moves:
    """Part of `Expressions`."""

    def reshape(self, dtype, shape, depth, exact) -> Value:
        same = [s for s in SHAPES if math.prod(s) == math.prod(shape) and s != shape] or [shape]
        x = self.draw(dtype, self.choices.one_of(same), depth, exact)
        if not shape:
            return following(f"{x.text}.item()" if x.shape else x.text, dtype, shape, (x,), x.product)
        flat = len(shape) > 1 and self.choices.chance(3)
        wanted = (-1, *shape[1:]) if flat else shape
        form = self.choices.one_of(("ct.reshape({}, {})", "{}.reshape({})"))
        if len(shape) == len(x.shape) + 1 and shape[0] == 1 and self.choices.below(2):
            return following(f"ct.expand_dims({x.text}, 0)", dtype, shape, (x,), x.product)
        if len(x.shape) == 1 and shape == (x.shape[0], 1) and self.choices.below(2):
            return following(f"({x.text})[:, None]", dtype, shape, (x,), x.product)
        return following(form.format(x.text, wanted), dtype, shape, (x,), x.product)

    def permute(self, dtype, shape, depth, exact) -> Value:
        if len(shape) < 2:
            return None
        if len(shape) == 2:
            x = self.draw(dtype, shape[::-1], depth, exact)
            form = self.choices.one_of(("ct.transpose({})", "ct.permute({}, (1, 0))", "{}.permute((1, 0))", "{}.transpose(0, 1)", "ct.transpose({}, -1, -2)"))
            return following(form.format(x.text), dtype, shape, (x,), x.product)
        axes = self.choices.one_of(((0, 2, 1), (2, 0, 1), (1, 2, 0), (2, 1, 0)))
        before = [0] * 3
        for place, axis in enumerate(axes):
            before[axis] = shape[place]
        x = self.draw(dtype, tuple(before), depth, exact)
        return following(f"ct.permute({x.text}, {axes})", dtype, shape, (x,), x.product)

    def broadcast(self, dtype, shape, depth, exact) -> Value:
        if not shape:
            return None
        source = tuple(1 if self.choices.below(2) else e for e in shape)[self.choices.below(2) :]
        x = self.draw(dtype, source, depth, exact)
        if not source and self.choices.below(2):
            return following(f"ct.full({shape}, {x.text}, ct.{self.name_of(dtype)})", dtype, shape, (x,), x.product)
        return following(f"ct.broadcast_to({x.text}, {shape})", dtype, shape, (x,), x.product)

    def joined(self, dtype, shape, depth, exact) -> Value:
        axes = [a for a, e in enumerate(shape) if e > 1]
        if not axes:
            return None
        axis = self.choices.one_of(axes)
        half = (*shape[:axis], shape[axis] // 2, *shape[axis + 1 :])
        x, y = self.draw(dtype, half, depth, exact), self.draw(dtype, half, depth, exact)
        return following(f"ct.cat(({x.text}, {y.text}), {axis})", dtype, shape, (x, y), x.product or y.product)

    def extract(self, dtype, shape, depth, exact) -> Value:
        if not shape:
            x = self.draw(dtype, (4,), depth, exact)
            index = self.choices.one_of(("1", "3", f"({self.draw('i32', (), depth).text} & 3)"))
            form = self.choices.one_of(("ct.extract({}, ({},), (1,)).item()", "ct.extract({}, ({},), ())", "{}.extract({}, (1,)).item()"))
            return following(form.format(x.text, index), dtype, shape, (x,), x.product)
        axis = self.choices.below(len(shape))
        x = self.draw(dtype, (*shape[:axis], shape[axis] * 2, *shape[axis + 1 :]), depth, exact)
        part = self.choices.one_of(("0", "1", f"({self.draw('i32', (), depth).text} & 1)"))
        index = ", ".join(part if a == axis else "0" for a in range(len(shape)))
        return following(f"ct.extract({x.text}, ({index},), {shape})", dtype, shape, (x,), x.product)
