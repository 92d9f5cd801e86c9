"""Kernels as arguments of kernels: handed over by their addresses, or compiled in.

numba's own way to hand over looks a kernel up twice at every call, by its signature and by its
name: about 30 microseconds for each of nine kernels, as much as hundreds of simulations. A
`Handle` holds the address that was found once, and the caller's code is the same for all kernels.

A kernel that is known when its caller is compiled becomes part of the caller's code (`LinkedType`):
calls cost nothing, but the caller is compiled anew for another kernel. numba names the type of such
an argument by an address in memory, which is another one in every process; here it is named by what
the kernel's code depends on, so the caller can be kept on disk.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any, cast

import numba

from .plain.plain_call import Handle

_types: Any = cast(Any, numba).types
_extending: Any = import_module("numba.extending")
_cgutils: Any = import_module("numba.core.cgutils")
_opaque_model: Any = import_module("numba.core.datamodel.models").OpaqueModel
_model: Any = import_module("numba.experimental.function_type").FunctionModel


class KernelType(_types.FunctionType):
    """numba's function type, for arguments that are a `Handle`."""


_extending.register_model(KernelType)(_model)


def handle(kernel: Any, signature: Any) -> Any:
    """The object to hand over for a kernel that was compiled for a signature.

    A plain Python function, as under ``NUMBA_DISABLE_JIT=1``, is handed over as it is.
    """
    if not hasattr(kernel, "overloads"):
        return kernel
    compiled = kernel.overloads[signature.args]
    library, name = compiled.library, compiled.fndesc.llvm_func_name
    return Handle(kernel, library.get_pointer_to_function(name))


class LinkedType(_types.Dispatcher):
    """The type of one kernel, for an argument that is that kernel."""

    def __init__(self, kernel: Any, name: str) -> None:
        _types.Dispatcher.__init__(self, kernel)
        self.name = name

    # numba keeps one of equal types. It takes two of one kernel for equal, and then both would have
    # the name of the one that happened to be asked for first.
    def __eq__(self, other: object) -> bool:
        return isinstance(other, LinkedType) and (self.name, self._wr) == (other.name, other._wr)

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> Any:
        function = self.dispatcher.py_func
        return _linked, (function.__module__, function.__qualname__, self.name)


_extending.register_model(LinkedType)(_opaque_model)


def linked(kernel: Any, signature: Any) -> LinkedType | None:
    """The type of a kernel that its caller is compiled with.

    None where another process could not find the kernel again: then hand over its address.
    """
    function = kernel.py_func
    name = kernel._cache.name_of(signature, kernel.targetctx)
    if name is None or _found(function.__module__, function.__qualname__) is not kernel:
        return None
    return LinkedType(kernel, name)


def _found(module: str, name: str) -> Any:
    """The object a module calls by that name, if anything."""
    value: Any = sys.modules.get(module)
    for part in name.split("."):
        value = getattr(value, part, None)
    return value


def _linked(module: str, name: str, kind: str) -> LinkedType:
    import_module(module)
    return LinkedType(_found(module, name), kind)


@_extending.unbox(LinkedType)
def _nothing(kind: Any, value: Any, context: Any) -> Any:
    """There is nothing to take out: its code is there already."""
    return _extending.NativeValue(context.context.get_dummy_value())


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
