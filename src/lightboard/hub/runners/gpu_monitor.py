"""What processes use of GPUs of NVIDIA, as its management library tells (NVML, a part of the driver).

Only the standard library is imported, because a supervisor must start fast and finds no installed packages. See the
"NVML API Reference Guide" for the functions; a C structure has its name there in the docstring of its class.
"""

import ctypes
import os
from collections.abc import Collection, Sequence
from ctypes import POINTER, Structure, byref, c_uint, c_ulonglong, c_void_p

from lightboard.hub.resources.replicas import GpuUsage

LIBRARY = "libnvidia-ml.so.1"
CONTROL_DEVICE = "/dev/nvidiactl"
SUCCESS, TOO_SMALL = 0, 7
NOT_AVAILABLE = 2**64 - 1
MORE_PROCESSES = 16
"""Room for as many that start between two calls."""


class NvmlError(Exception):
    """A function of the library failed. Its argument is the number of the error."""


class Utilization(Structure):
    """`nvmlUtilization_t`: percent of the last moments in which kernels ran, and in which memory was accessed."""

    _fields_ = (("gpu", c_uint), ("memory", c_uint))


class Memory(Structure):
    """`nvmlMemory_t`, in bytes."""

    _fields_ = (("total", c_ulonglong), ("free", c_ulonglong), ("used", c_ulonglong))


class ProcessInfo(Structure):
    """`nvmlProcessInfo_t` of version 3. The memory may be NOT_AVAILABLE."""

    _fields_ = (
        ("pid", c_uint),
        ("used_memory", c_ulonglong),
        ("gpu_instance", c_uint),
        ("compute_instance", c_uint),
    )


class Nvml:
    """The library. Raises OSError if it is not there, and NvmlError if it does not work."""

    def __init__(self, library: str = LIBRARY) -> None:
        self._library = ctypes.CDLL(library)
        self._call("nvmlInit_v2")

    def devices(self) -> dict[int, c_void_p]:
        """The handle of each GPU, by the number in the name of its device file."""
        count = c_uint()
        self._call("nvmlDeviceGetCount_v2", byref(count))
        found = {}
        for index in range(count.value):
            handle, number = c_void_p(), c_uint()
            self._call("nvmlDeviceGetHandleByIndex_v2", c_uint(index), byref(handle))
            self._call("nvmlDeviceGetMinorNumber", handle, byref(number))
            found[number.value] = handle
        return found

    def utilization(self, device: c_void_p) -> float:
        """The share of the last moments, up to a second, in which kernels of any process ran, from 0 to 1."""
        result = Utilization()
        self._call("nvmlDeviceGetUtilizationRates", device, byref(result))
        return int(result.gpu) / 100

    def total_memory(self, device: c_void_p) -> int:
        """Its memory in bytes."""
        result = Memory()
        self._call("nvmlDeviceGetMemoryInfo", device, byref(result))
        return int(result.total)

    def processes(self, device: c_void_p) -> dict[int, int]:
        """The memory in bytes of each process that computes on it, by its id; 0 where that is not known."""
        name, room = "nvmlDeviceGetComputeRunningProcesses_v3", 0
        while True:
            infos, count = (ProcessInfo * room)(), c_uint(room)
            code = self._function(name)(device, byref(count), infos if room else POINTER(ProcessInfo)())
            if code == TOO_SMALL:
                room = count.value + MORE_PROCESSES
                continue
            if code != SUCCESS:
                raise NvmlError(code)
            return {
                each.pid: 0 if each.used_memory == NOT_AVAILABLE else each.used_memory for each in infos[: count.value]
            }

    def _call(self, name: str, *arguments: object) -> None:
        code = self._function(name)(*arguments)
        if code != SUCCESS:
            raise NvmlError(code)

    def _function(self, name: str) -> "ctypes._NamedFuncPointer":
        try:
            return self._library[name]
        except AttributeError as error:  # an old driver
            raise NvmlError(name) from error


class GpuMonitor:
    """Measures GPUs for the processes of one replica.

    `gpu_ids` are the numbers of its GPUs; None if it may use all of the machine, of which those count that it uses.
    Nothing is measured on a machine without GPUs of NVIDIA, or whose driver does not answer.
    """

    def __init__(
        self, gpu_ids: Sequence[int] | None, library: str = LIBRARY, control_device: str = CONTROL_DEVICE
    ) -> None:
        self._gpu_ids = gpu_ids
        self._nvml: Nvml | None = None
        self._devices: dict[int, c_void_p] = {}
        if gpu_ids == () or not os.path.exists(control_device):
            return
        try:
            self._nvml = Nvml(library)
            self._devices = self._nvml.devices()
        except (OSError, NvmlError):
            self._nvml = None

    @property
    def measures(self) -> bool:
        """Whether there is anything to measure."""
        return self._nvml is not None

    def usage(self, pids: Collection[int]) -> tuple[GpuUsage, ...]:
        """What these processes use now of each GPU."""
        if self._nvml is None:
            return ()
        used = (self._usage_of(self._nvml, id, pids) for id in self._measured())
        return tuple(each for each in used if each is not None)

    def _measured(self) -> list[int]:
        return sorted(self._devices if self._gpu_ids is None else self._devices.keys() & set(self._gpu_ids))

    def _usage_of(self, nvml: Nvml, id: int, pids: Collection[int]) -> GpuUsage | None:
        device = self._devices[id]
        try:
            own = [memory for pid, memory in nvml.processes(device).items() if pid in pids]
            if self._gpu_ids is None and not own:
                return None
            return GpuUsage(
                id=id,
                utilization=nvml.utilization(device),
                memory_bytes=sum(own),
                total_memory_bytes=nvml.total_memory(device),
            )
        except NvmlError:  # it fell off the bus, or is reset
            return None
