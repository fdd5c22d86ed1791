package io.sluice.pressure.core;

import java.util.Map;
import java.util.TreeMap;

/** A VM of the {@link SmallWorld}: where it runs, and what its reservation shows. */
final class WorldVm {
    final String name;
    String pod;
    String node;
    long milli;
    double load;
    final Map<String, Boolean> marks = new TreeMap<>();

    WorldVm(String name, String node, long milli) {
        this.name = name;
        this.node = node;
        this.milli = milli;
        pod = name;
    }

    boolean marked() {
        return !marks.isEmpty();
    }
}
