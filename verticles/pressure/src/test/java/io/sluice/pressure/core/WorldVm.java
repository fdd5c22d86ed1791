package io.sluice.pressure.core;

/** A VM of the {@link SmallWorld}: where it runs, and what its member shows. */
final class WorldVm {
    final String name;
    String pod;
    String node;
    long milli;
    double load;
    boolean marked;

    WorldVm(String name, String node, long milli) {
        this.name = name;
        this.node = node;
        this.milli = milli;
        pod = name;
    }
}
