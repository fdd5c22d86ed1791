package io.sluice.replay.openb;

import io.sluice.devices.Device;
import io.sluice.devices.GpuDemand;
import io.sluice.devices.GpuMode;
import io.sluice.devices.GpuRequest;
import io.sluice.devices.NodeDevices;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.zip.GZIPInputStream;

/**
 * The nodes and tasks of Alibaba's cluster-trace-gpu-v2023 ("openb"). A device has 1 000 units of memory, as the trace
 * has thousandths of devices.
 */
public final class OpenbTrace {
    /** Where the trace is; a replay does without it where it is absent. */
    public static final String DIRECTORY = "openb.dir";

    private static final int DEVICE = 1_000;
    private static final long MIB = 1 << 20;

    private final List<NodeObserved> nodes;
    private final List<Task> tasks;

    /**
     * A task.
     *
     * @param milli of each of its devices, in thousandths
     */
    public record Task(Resources amounts, int devices, int milli, List<String> models) {
        /** What it takes of all devices together, in thousandths. */
        public long milliOfAll() {
            return (long) devices * milli;
        }

        /** It as a pod that waits. */
        PodObserved pod(String uid) {
            return new PodObserved(
                            uid,
                            "openb",
                            uid,
                            "",
                            "",
                            1,
                            amounts,
                            0,
                            "",
                            FixedAmounts.of(Map.of(FixedAmounts.PODS, 1L)))
                    .with(GpuDemand.of(requests()));
        }

        private List<GpuRequest> requests() {
            if (devices == 0) {
                return List.of();
            }
            var each = milli >= DEVICE ? GpuRequest.Amounts.WHOLE : GpuRequest.Amounts.share(milli, 0);
            return List.of(new GpuRequest(0, "openb", devices, each, GpuRequest.Selector.ANY.of(models)));
        }
    }

    private OpenbTrace(List<NodeObserved> nodes, List<Task> tasks) {
        this.nodes = List.copyOf(nodes);
        this.tasks = List.copyOf(tasks);
    }

    /** The trace with one of its lists of tasks; empty where it is absent. */
    public static Optional<OpenbTrace> read(Path directory, String list) {
        var nodes = directory.resolve("openb_node_list_all_node.csv.gz");
        var tasks = directory.resolve("openb_pod_list_" + list + ".csv.gz");
        if (!Files.isReadable(nodes) || !Files.isReadable(tasks)) {
            return Optional.empty();
        }
        return Optional.of(new OpenbTrace(
                lines(nodes).stream()
                        .filter(fields -> Integer.parseInt(fields[3]) > 0)
                        .map(OpenbTrace::node)
                        .toList(),
                lines(tasks).stream().map(OpenbTrace::task).toList()));
    }

    private static List<String[]> lines(Path file) {
        var lines = new ArrayList<String[]>();
        try (var in = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
            in.readLine();
            for (var line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line.split(",", -1));
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return lines;
    }

    private static NodeObserved node(String[] fields) {
        var devices = new ArrayList<Device>();
        for (int minor = 0; minor < Integer.parseInt(fields[3]); minor++) {
            devices.add(new Device(fields[0] + "-" + minor, minor, fields[4], DEVICE));
        }
        return new NodeObserved(
                fields[0],
                1,
                new Resources(Long.parseLong(fields[1]), Long.parseLong(fields[2]) * MIB),
                "",
                List.of(),
                true,
                FixedAmounts.of(Map.of(FixedAmounts.PODS, 1_000L)),
                new NodeDevices(GpuMode.SHARED, devices));
    }

    private static Task task(String[] fields) {
        return new Task(
                new Resources(Long.parseLong(fields[1]), Long.parseLong(fields[2]) * MIB),
                Integer.parseInt(fields[3]),
                Integer.parseInt(fields[4]),
                Arrays.stream(fields[5].split("\\|"))
                        .filter(model -> !model.isEmpty())
                        .toList());
    }

    /** The nodes that have GPUs. */
    public List<NodeObserved> nodes() {
        return nodes;
    }

    /** All tasks, as they came. */
    public List<Task> tasks() {
        return tasks;
    }

    /** The thousandths of devices that all nodes have. */
    public long milliOfAll() {
        return nodes.stream()
                .mapToLong(node -> (long) node.devices().devices().size() * DEVICE)
                .sum();
    }

    /**
     * The tasks in another order, and some of them again until they request that share of all devices. That is how the
     * trace's authors make arrivals for their figures.
     */
    public List<Task> arrivals(double share, long seed) {
        var random = new Random(seed);
        var arrivals = new ArrayList<>(tasks);
        Collections.shuffle(arrivals, random);
        long requested = tasks.stream().mapToLong(Task::milliOfAll).sum();
        while (true) {
            var again = tasks.get(random.nextInt(tasks.size()));
            if (requested + again.milli() > share * milliOfAll()) {
                return arrivals;
            }
            arrivals.add(again);
            requested += again.milliOfAll();
        }
    }
}
