package io.sluice.replay;

import io.sluice.replay.core.nodes.NodeSizes;
import io.sluice.replay.core.vm.VmModel;
import io.sluice.replay.read.PrometheusSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a replay is to do.
 *
 * @param trace a file or folder of recorded load; none to read a Prometheus
 * @param prometheus where else load was recorded
 * @param policies files of policies, or names of those that come with the program; all of these for none
 * @param out the folder for reports; none for the table alone
 * @param lenient whether bad lines are left out
 * @param exact whether the core decides after each scrape
 * @param fromDay the first day of the trace, from 1
 * @param toDay the last day of it
 * @param trainingDays the first days, from which sizes are taken; 0 for the first third of the samples
 * @param nodes how many nodes of the consolidation papers the VMs share; 0 for no fleet
 * @param nodeSpec nodes of limited size on which the VMs stand; empty for none
 * @param model the assumptions
 * @param threads how many VMs are replayed at a time
 */
public record ReplayOptions(
        Optional<Path> trace,
        Optional<PrometheusSource> prometheus,
        List<String> policies,
        Optional<Path> out,
        boolean lenient,
        boolean exact,
        int fromDay,
        int toDay,
        int trainingDays,
        int nodes,
        Optional<NodeSizes> nodeSpec,
        VmModel model,
        int threads) {
    /** The name of what is replayed. */
    public String name() {
        return trace.map(path -> path.getFileName().toString())
                .or(() -> prometheus.map(source -> source.url().getHost()))
                .orElse("");
    }
}
