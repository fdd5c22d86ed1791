package io.sluice.lab.load.core;

/**
 * How much memory a guest uses for a demand. Use follows demand with the inertia of half an hour of the series' time.
 *
 * @param baseBytes in use when idle
 * @param bytesPerVcpu in use on top for each vCPU of demand
 * @param cacheBytes what the page cache would like; it takes only what is free
 */
public record MemoryModel(long baseBytes, long bytesPerVcpu, long cacheBytes) {
    /** Of a VM's memory, what its kernel keeps and no program in it ever sees. */
    public static final long KERNEL_BYTES = 100L << 20;

    public MemoryModel {
        if (baseBytes < 0 || bytesPerVcpu < 0 || cacheBytes < 0) {
            throw new IllegalArgumentException("memory is never negative: base " + baseBytes + ", per vCPU "
                    + bytesPerVcpu + ", cache " + cacheBytes);
        }
    }
}
