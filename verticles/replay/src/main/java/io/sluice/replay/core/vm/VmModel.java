package io.sluice.replay.core.vm;

/**
 * The assumptions of a replay about VMs, each by its name.
 *
 * @param unitMilliCpu the compute unit's CPU
 * @param unitMebibytes the compute unit's memory
 * @param vmMilliCpu the size of each VM of a trace without sizes; 0 for the default of the trace's format
 * @param scrapeSeconds the time between two scrapes of a VM; a change of demand begins just after one
 * @param growSeconds from a patch for more until the guest uses it
 * @param shrinkSeconds from a patch for less until the VM's status shows it; the guest loses it at once
 * @param peakToMean the highest demand within a sample, as a multiple of the sample
 * @param incidentSeconds a sample is an incident when its demand exceeds the size for longer than this
 * @param censoredShare from this share of the recorded size on, the true demand may have been larger than the sample
 * @param loadNoise the relative error of a load average, and of the measured wait for CPU
 * @param migrationMebibytesPerSecond how fast a VM's memory is copied to another node; what changes meanwhile is not
 *     copied again
 * @param migrationDowntimeMillis how long the VM is stopped at the end of a migration
 * @param migrationCpuShare the part of its CPU that a VM lacks while it is copied
 * @param seed of the noise and of the place of peaks
 */
public record VmModel(
        int unitMilliCpu,
        int unitMebibytes,
        int vmMilliCpu,
        int scrapeSeconds,
        int growSeconds,
        int shrinkSeconds,
        double peakToMean,
        int incidentSeconds,
        double censoredShare,
        double loadNoise,
        int migrationMebibytesPerSecond,
        int migrationDowntimeMillis,
        double migrationCpuShare,
        long seed) {
    public static final VmModel DEFAULTS = new VmModel(250, 1024, 0, 5, 1, 1, 1.0, 30, 0.95, 0.05, 128, 300, 0.1, 1);

    public VmModel {
        requireBetween("unitMilliCpu", unitMilliCpu, 1, 1_000_000);
        requireBetween("unitMebibytes", unitMebibytes, 1, 1 << 20);
        requireBetween("vmMilliCpu", vmMilliCpu, 0, 1_000_000);
        requireBetween("scrapeSeconds", scrapeSeconds, 2, 60);
        requireBetween("growSeconds", growSeconds, 1, scrapeSeconds - 1);
        requireBetween("shrinkSeconds", shrinkSeconds, 1, scrapeSeconds - 1);
        requireBetween("peakToMean", peakToMean, 1, 10);
        requireBetween("incidentSeconds", incidentSeconds, 0, 3_600);
        requireBetween("censoredShare", censoredShare, 0, 10);
        requireBetween("loadNoise", loadNoise, 0, 1);
        requireBetween("migrationMebibytesPerSecond", migrationMebibytesPerSecond, 1, 1_000_000);
        requireBetween("migrationDowntimeMillis", migrationDowntimeMillis, 0, 60_000);
        requireBetween("migrationCpuShare", migrationCpuShare, 0, 0.99);
    }

    /** The same for samples so long: in one that is short, an incident lasts for the whole sample. */
    public VmModel forPeriod(int seconds) {
        return new VmModel(
                unitMilliCpu,
                unitMebibytes,
                vmMilliCpu,
                scrapeSeconds,
                growSeconds,
                shrinkSeconds,
                peakToMean,
                Math.min(incidentSeconds, seconds - 1),
                censoredShare,
                loadNoise,
                migrationMebibytesPerSecond,
                migrationDowntimeMillis,
                migrationCpuShare,
                seed);
    }

    private static void requireBetween(String name, double value, double least, double most) {
        if (!(value >= least && value <= most)) {
            throw new IllegalArgumentException(name + "=" + value + " must be between " + least + " and " + most);
        }
    }
}
