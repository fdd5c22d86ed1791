package io.sluice.neonvm.core.gpus;

import com.fasterxml.jackson.databind.ObjectMapper;

/** The names of labels and annotations about GPUs. They are an interface to other programs, so none may change. */
final class GpuKeys {
    /** Of annotations that are JSON. */
    static final ObjectMapper MAPPER = new ObjectMapper();

    /** Label of a node: who allocates its GPUs. */
    static final String ALLOCATOR = "autoscaling.sluice.io/gpu-allocator";

    /** Annotation of a node, written by its agent: its GPUs. */
    static final String DEVICES = "autoscaling.sluice.io/gpu-devices";

    /** Annotation of a pod, written with its Binding: its GPUs. */
    static final String ALLOCATION = "autoscaling.sluice.io/gpu-allocation";

    /** Annotation of a pod, written with its Binding: the NUMA zones in which it may be. */
    static final String ZONES = "autoscaling.sluice.io/numa";

    static final String HAMI_DEVICES = "hami.io/node-nvidia-register";
    static final String HAMI_TO_ALLOCATE = "hami.io/vgpu-devices-to-allocate";
    static final String HAMI_ALLOCATED = "hami.io/vgpu-devices-allocated";
    static final String HAMI_NODE = "hami.io/vgpu-node";
    static final String HAMI_ASSIGNED_AT = "hami.io/vgpu-time";
    static final String HAMI_BIND_PHASE = "hami.io/bind-phase";
    static final String HAMI_BOUND_AT = "hami.io/bind-time";
    static final String HAMI_ALLOCATING = "allocating";

    static final String ALNAIR_UUIDS = "ai.centaurus.io/physical-gpu-uuids";
    static final String ALNAIR_CHUNKS = "ai.centaurus.io/virtual-gpu-count";

    /** The writer of Alnair spells it so, and its reader as above. */
    static final String ALNAIR_CHUNKS_AS_WRITTEN = "ai.centaurus.io/vitual-gpu-count";

    static final String ALNAIR_POD = "ai.centaurus.io/alnair-gpu-id";

    private GpuKeys() {}
}
