package io.sluice.replay.read;

/** The formats of recorded load. */
public enum TraceFormat {
    /** {@code name,u0,u1…}: CPU in percent of a VM, one VM a line. */
    PLANETLAB,
    /** A folder with {@code vms.csv}, {@code cpu_mhz.csv} and {@code mem_mib.csv}: {@code vm,v0,v1…}, one VM a line. */
    BITBRAINS,
    /** {@code timestamp,value}: CPU in percent of one VM, one sample a line. */
    CLOUDWATCH
}
