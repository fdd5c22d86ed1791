package io.sluice.bench;

import io.sluice.bench.measurement.Child;
import java.io.IOException;
import java.util.List;

/**
 * The cost of observing a large Kubernetes cluster: memory for each object, and time and memory of a full list. It has
 * two processes: the lab's API server with a fleet whose objects are as large as real ones, and the role
 * {@code cluster}.
 */
public final class ObservationsBench {
    private static final String NODES = "5000";
    private static final String PODS = "50000";
    private static final String VMS = "20000";

    private ObservationsBench() {}

    /** Takes the heap of the measured process as a JVM option. */
    public static void main(String[] arguments) throws IOException {
        var heap = "-Xmx" + arguments[0];
        try (var fleet = Child.start(ObservationsFleet.class, List.of(), NODES, PODS, VMS)) {
            var url = fleet.next();
            System.out.println(
                    NODES + " nodes, " + PODS + " pods, " + VMS + " VMs; of their JSON, MiB: " + fleet.next());
            System.out.println("""

                | scope | heap | ready s | heap before MiB | heap after MiB | bytes an object | listed again s | CPU s of that | \
                heap used at most by it MiB |
                |---|---|---|---|---|---|---|---|---|\
                """);
            for (var scope : List.of("cluster", "node-7")) {
                try (var process = Child.start(ObservationsProcess.class, List.of(heap), url, scope)) {
                    System.out.println("| " + scope + " | " + arguments[0] + " | " + process.next() + " |");
                }
            }
        }
    }
}
