package io.sluice.pods.node;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.pod.PodSampled;
import io.sluice.pods.node.core.CgroupPaths;
import io.sluice.pods.node.core.CgroupText;
import io.sluice.pods.node.core.LimitsDifference;
import io.sluice.pods.node.core.MemoryEvents;
import io.sluice.shell.pods.ScaledPod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The control group of one pod, with those of its containers. Uses and events are read from files, and cannot be read
 * where the group is gone.
 *
 * @param directory of the pod
 * @param containers the directories of those that run, by name
 */
record ControlGroup(Path directory, Map<String, Path> containers) {
    private static final String CPU_MAX = "cpu.max";
    private static final String MEMORY_MAX = "memory.max";
    private static final String RESOURCES = "resources";
    private static final String LIMITS = "limits";

    ControlGroup {
        containers = Map.copyOf(containers);
    }

    /** Finds it; empty until the pod and all of its containers that run have one. */
    static Optional<ControlGroup> find(Path root, ScaledPod pod) throws IOException {
        var status = pod.json().path("status");
        var directory = CgroupPaths.ofPod(
                        pod.id().uid(), status.path("qosClass").asText())
                .stream()
                .map(root::resolve)
                .filter(Files::isDirectory)
                .findFirst();
        if (directory.isEmpty()) {
            return Optional.empty();
        }
        var running = running(pod);
        var found = new TreeMap<String, Path>();
        try (var children = Files.newDirectoryStream(directory.get(), Files::isDirectory)) {
            for (var child : children) {
                running.entrySet().stream()
                        .filter(each ->
                                CgroupPaths.isOfContainer(child.getFileName().toString(), each.getValue()))
                        .forEach(each -> found.put(each.getKey(), child));
            }
        }
        return running.isEmpty() || !found.keySet().equals(running.keySet())
                ? Optional.empty()
                : Optional.of(new ControlGroup(directory.get(), found));
    }

    /** Whether a pod has a container that runs. */
    static boolean hasRunning(ScaledPod pod) {
        return !running(pod).isEmpty();
    }

    /** The ids of the containers that run, by name. */
    private static Map<String, String> running(ScaledPod pod) {
        var found = new TreeMap<String, String>();
        statuses(pod)
                .filter(container -> container.path("state").has("running"))
                .filter(container -> container.path("containerID").asText().contains("://"))
                .forEach(container -> found.put(
                        container.path("name").asText(),
                        container.path("containerID").asText()));
        return found;
    }

    private static Stream<JsonNode> statuses(ScaledPod pod) {
        var status = pod.json().path("status");
        return Stream.concat(
                status.path("containerStatuses").valueStream(),
                status.path("initContainerStatuses").valueStream());
    }

    /** What its containers have used until now. */
    PodSampled.Moment moment() throws IOException {
        long at = System.currentTimeMillis();
        var uses = new ArrayList<PodSampled.Container>();
        for (var container : containers.entrySet()) {
            uses.add(use(container.getKey(), container.getValue()));
        }
        return new PodSampled.Moment(at, uses);
    }

    private static PodSampled.Container use(String name, Path files) throws IOException {
        var cpu = CgroupText.flat(Files.readString(files.resolve("cpu.stat")));
        long memory =
                Long.parseLong(Files.readString(files.resolve("memory.current")).strip());
        long inactive =
                CgroupText.flat(Files.readString(files.resolve("memory.stat"))).getOrDefault("inactive_file", 0L);
        return new PodSampled.Container(
                name,
                cpu.getOrDefault("usage_usec", 0L),
                // As a kubelet computes it.
                Math.max(0, memory - inactive),
                CgroupText.stalledMicros(text(files.resolve("cpu.pressure")).orElse("")),
                cpu.getOrDefault("nr_periods", 0L),
                cpu.getOrDefault("nr_throttled", 0L));
    }

    /** How often the pod's memory has met a limit. */
    MemoryEvents memoryEvents() throws IOException {
        return MemoryEvents.of(Files.readString(memoryEventsFile()));
    }

    Path memoryEventsFile() {
        return directory.resolve("memory.events");
    }

    /** The files with limits, of the pod as a whole and of its containers. */
    List<Path> limitFiles() {
        return Stream.concat(Stream.of(directory), containers.values().stream())
                .flatMap(files -> Stream.of(files.resolve(CPU_MAX), files.resolve(MEMORY_MAX)))
                .filter(Files::exists)
                .toList();
    }

    /**
     * How the limits differ from those of the status, in words: of the pod, where its spec has some as a whole, or of
     * the first container that differs. Empty if none differ.
     */
    Optional<String> limitsDifference(ScaledPod pod) throws IOException {
        var whole = pod.json().path("status").path(RESOURCES).path(LIMITS);
        if (pod.isWhole()) {
            // A kubelet makes a limit of the pod from those of all containers too, which its status does not name.
            var difference = LimitsDifference.of(
                    whole,
                    text(directory.resolve(CPU_MAX)).filter(text -> whole.has("cpu")),
                    text(directory.resolve(MEMORY_MAX)).filter(text -> whole.has("memory")));
            if (difference.isPresent()) {
                return difference.map(words -> "the pod as a whole: " + words);
            }
        }
        var all = statuses(pod).toList();
        for (var status : all) {
            var name = status.path("name").asText();
            var files = containers.get(name);
            if (files != null && status.has(RESOURCES)) {
                var difference = LimitsDifference.of(
                        status.path(RESOURCES).path(LIMITS),
                        text(files.resolve(CPU_MAX)),
                        text(files.resolve(MEMORY_MAX)));
                if (difference.isPresent()) {
                    return difference.map(words -> "container " + name + ": " + words);
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<String> text(Path file) throws IOException {
        return Files.exists(file) ? Optional.of(Files.readString(file)) : Optional.empty();
    }
}
