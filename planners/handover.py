"""Kernels as arguments of kernels, handed over by their addresses.

numba's own way looks a kernel up twice at every call, by its signature and by its name: about 30
microseconds for each of nine kernels, as much as hundreds of simulations. A `Handle` holds the
address that was found once.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, cast

import numba

_types: Any = cast(Any, numba).types
_extending: Any = import_module("numba.extending")
_cgutils: Any = import_module("numba.core.cgutils")
_model: Any = import_module("numba.experimental.function_type").FunctionModel


class KernelType(_types.FunctionType):
    """numba's function type, for arguments that are a `Handle`."""


_extending.register_model(KernelType)(_model)


@dataclass(frozen=True, eq=False)
class Handle:
    """A compiled kernel of one signature.

    Attributes:
        kernel: The kernel, which has to live as long as it may be called.
        address: Where its machine code is.
    """

    kernel: Any
    address: int


def handle(kernel: Any, signature: Any) -> Any:
    """What to hand over for a kernel that was compiled for a signature.

    A plain Python function, as under ``NUMBA_DISABLE_JIT=1``, is handed over as it is.
    """
    if not hasattr(kernel, "overloads"):
        return kernel
    compiled = kernel.overloads[signature.args]
    library, name = compiled.library, compiled.fndesc.llvm_func_name
    return Handle(kernel, library.get_pointer_to_function(name))


@_extending.unbox(KernelType)
def _unbox(kind: Any, value: Any, context: Any) -> Any:
    """Take the address out of a handle; the kernel is then called as numba calls its own."""
    made = _cgutils.create_struct_proxy(kind)(context.context, context.builder)
    pointer = context.context.get_value_type(_types.voidptr)
    address = context.pyapi.object_getattr_string(value, "address")
    made.jit_addr = context.pyapi.long_as_voidptr(address)
    made.c_addr = made.jit_addr
    made.py_addr = context.builder.ptrtoint(value, pointer)
    context.pyapi.decref(address)
    return _extending.NativeValue(made._getvalue())
