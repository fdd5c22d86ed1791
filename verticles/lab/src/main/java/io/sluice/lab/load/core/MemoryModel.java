package io.sluice.lab.load.core;

/**
 * How much memory a guest uses for a demand. The use follows the demand with a damping of half an hour of the series'
 * time.
 *
 * @param baseBytes used when idle
 * @param bytesPerVcpu additionally used for each vCPU of demand
 * @param cacheBytes the size of the page cache if there is enough free memory
 */
public record MemoryModel(long baseBytes, long bytesPerVcpu, long cacheBytes) {
    /** The part of a VM's memory that its kernel keeps and no program in it sees. */
    public static final long KERNEL_BYTES = 100L << 20;

    public MemoryModel {
        if (baseBytes < 0 || bytesPerVcpu < 0 || cacheBytes < 0) {
            throw new IllegalArgumentException("memory must not be negative: base " + baseBytes + ", per vCPU "
                    + bytesPerVcpu + ", cache " + cacheBytes);
        }
    }
}
