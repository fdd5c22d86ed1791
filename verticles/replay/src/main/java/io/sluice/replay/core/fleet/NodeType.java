package io.sluice.replay.core.fleet;

/**
 * A kind of machine.
 *
 * @param coreMips the speed of a core
 * @param cores how many it has
 * @param ramMegabytes its memory, which counts when VMs are first placed
 * @param power its power
 */
record NodeType(double coreMips, int cores, int ramMegabytes, PowerCurve power) {
    private static final double[] G4 = {86, 89.4, 92.6, 96, 99.5, 102, 106, 108, 112, 114, 117};
    private static final double[] G5 = {93.7, 97, 101, 105, 110, 116, 121, 125, 129, 133, 135};

    /** HP ProLiant ML110 G4, Xeon 3040 (SPECpower). */
    static final NodeType ML110_G4 = new NodeType(1_860, 2, 4_096, new PowerCurve(G4));
    /** HP ProLiant ML110 G5, Xeon 3075 (SPECpower). */
    static final NodeType ML110_G5 = new NodeType(2_660, 2, 4_096, new PowerCurve(G5));

    double mips() {
        return coreMips * cores;
    }
}
