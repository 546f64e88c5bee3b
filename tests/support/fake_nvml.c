/* The functions of libnvidia-ml.so.1 that Lightboard calls, for two GPUs whose device files are 3 and 1.

   The signatures are those of the NVML API Reference Guide. Two processes compute on the second GPU: this one, with
   one GiB, and process 1, whose memory is not known. */

#include <unistd.h>

typedef struct { unsigned int gpu, memory; } nvmlUtilization_t;
typedef struct { unsigned long long total, free, used; } nvmlMemory_t;
typedef struct { unsigned int pid; unsigned long long used; unsigned int gpu_instance, compute_instance; } nvmlProcessInfo_t;

static const unsigned int minors[] = {3, 1};

int nvmlInit_v2(void) { return 0; }

int nvmlDeviceGetCount_v2(unsigned int *count) {
    *count = 2;
    return 0;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned int index, void **device) {
    *device = (void *)&minors[index];
    return 0;
}

int nvmlDeviceGetMinorNumber(void *device, unsigned int *number) {
    *number = *(const unsigned int *)device;
    return 0;
}

int nvmlDeviceGetUtilizationRates(void *device, nvmlUtilization_t *result) {
    result->gpu = *(const unsigned int *)device == 1 ? 75 : 10;
    result->memory = 50;
    return 0;
}

int nvmlDeviceGetMemoryInfo(void *device, nvmlMemory_t *result) {
    (void)device;
    result->total = 80ull << 30;
    result->free = 60ull << 30;
    result->used = 20ull << 30;
    return 0;
}

int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned int *count, nvmlProcessInfo_t *infos) {
    unsigned int room = *count, found = *(const unsigned int *)device == 1 ? 2 : 0;
    *count = found;
    if (room < found) return 7; /* NVML_ERROR_INSUFFICIENT_SIZE */
    if (found) {
        infos[0] = (nvmlProcessInfo_t){(unsigned int)getpid(), 1ull << 30, -1, -1};
        infos[1] = (nvmlProcessInfo_t){1, ~0ull, -1, -1};
    }
    return 0;
}
