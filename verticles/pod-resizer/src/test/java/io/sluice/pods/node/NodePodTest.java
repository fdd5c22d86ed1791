package io.sluice.pods.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.messages.pod.PodSampled;
import io.sluice.pods.node.core.NodeAgentConfig;
import io.sluice.shell.pods.ScaledPod;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a pod is read when the kernel reports something, and differences of its limits are found. Method: memory.events
 * and limits are files of a directory tree that has the form of control groups, which the test writes in place of the
 * kernel: it needs no memory controller. Pressure of CPU is that of a real control group.
 */
@ExtendWith(VertxExtension.class)
class NodePodTest {
    private static final Duration WITHIN = Duration.ofSeconds(60);
    private static final Duration DIFFER_AFTER = Duration.ofMillis(200);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @TempDir
    private Path root;

    private final List<PodSampled> samples = new CopyOnWriteArrayList<>();
    private final List<String> differences = new CopyOnWriteArrayList<>();
    private KernelEvents kernel;
    private Context context;
    private NodePod pod;
    private Path group;
    private Path container;

    @BeforeEach
    void start(Vertx vertx) throws IOException {
        kernel = new KernelEvents();
        group = Files.createDirectories(root.resolve("kubepods/burstable/podu"));
        container = Files.createDirectory(group.resolve("c1"));
        Files.createDirectory(group.resolve("sandbox"));
        write(group, "memory.events", "high 0\nmax 4\noom_kill 0\n");
        write(container, "cpu.stat", "usage_usec 1000\nnr_periods 9\nnr_throttled 3\n");
        write(container, "cpu.pressure", "some avg10=0.00 avg60=0.00 avg300=0.00 total=70\n");
        write(container, "memory.current", "5000\n");
        write(container, "memory.stat", "anon 1\ninactive_file 1000\n");
        write(container, "cpu.max", "20000 100000\n");
        write(container, "memory.max", "1073741824\n");
        context = vertx.getOrCreateContext();
        var usual = NodeAgentConfig.DEFAULTS;
        var config = new NodeAgentConfig(
                "n", root.toString(), usual.window(), usual.cpuStalled(), usual.memoryStalled(), DIFFER_AFTER);
        context.runOnContext(turn -> pod = new NodePod(
                vertx, config, kernel, samples::add, new LimitsWatch(vertx, DIFFER_AFTER, differences::add)));
    }

    @AfterEach
    void stop() throws IOException {
        pod.close().await();
        kernel.close();
    }

    private static void write(Path directory, String file, String text) throws IOException {
        Files.writeString(directory.resolve(file), text);
    }

    private void observed(String cpu, String containerId) throws JsonProcessingException {
        var json = json(cpu, containerId);
        context.runOnContext(turn -> pod.observed(ScaledPod.of(json)));
    }

    /** The same with limits of CPU of the pod as a whole. */
    private void whole(String cpu) throws JsonProcessingException {
        var json = json("200m", "c1");
        json.withObject("/spec/resources/limits").put("cpu", cpu);
        json.withObject("/status/resources/limits").put("cpu", cpu);
        context.runOnContext(turn -> pod.observed(ScaledPod.of(json)));
    }

    private static ObjectNode json(String cpu, String containerId) throws JsonProcessingException {
        return (ObjectNode) MAPPER.readTree("""
            {"metadata":{"namespace":"ns","name":"p","uid":"u"},
             "spec":{"containers":[{"name":"main"}]},
             "status":{"phase":"Running","qosClass":"Burstable","containerStatuses":[
               {"name":"main","containerID":"containerd://%2$s","state":{"running":{}},
                "resources":{"limits":{"cpu":"%1$s","memory":"1Gi"}}}]}}\
            """.formatted(cpu, containerId));
    }

    /** What is not opened here is what the kernel has for real groups alone. */
    private void awaitWatched() {
        await().atMost(WITHIN).until(() -> pod != null && pod.trouble().isPresent());
        assertThat(pod.trouble().orElseThrow()).contains("memory.pressure is not watched", "No such file");
    }

    @Test
    void aChangeOfMemoryEventsHasThePodReadTwice() throws Exception {
        observed("200m", "c1");
        awaitWatched();
        // Until a baseline is read, nothing counts: so the change is written until it is seen to count.
        await().atMost(WITHIN).until(() -> {
            write(group, "memory.events", "high 0\nmax " + System.nanoTime() + "\noom_kill 0\n");
            return !samples.isEmpty();
        });

        var sample = samples.getFirst();
        assertThat(sample.cause()).isEqualTo(PodSampled.Cause.MEMORY_LIMITED);
        assertThat(sample.vm().label()).isEqualTo("ns/p");
        var read = new PodSampled.Container("main", 1_000, 4_000, 70, 9, 3);
        assertThat(sample.first().containers()).containsExactly(read);
        assertThat(sample.last().containers()).containsExactly(read);
        assertThat(sample.last().at()).isGreaterThan(sample.first().at());
    }

    /** While the pod rests, the worst of what is reported is kept. */
    @Test
    void aKillThatIsReportedWhileThePodRestsIsNotLost() throws Exception {
        observed("200m", "c1");
        awaitWatched();
        await().atMost(WITHIN).until(() -> {
            write(group, "memory.events", "max " + System.nanoTime() + "\noom_kill 0\n");
            return !samples.isEmpty();
        });
        write(group, "memory.events", "max " + System.nanoTime() + "\noom_kill 1\n");
        // What was written before it may be sampled in between.
        await().atMost(WITHIN).until(() -> samples.getLast().cause() == PodSampled.Cause.OOM_KILLED);
    }

    @Test
    void limitsThatStayDifferentAreReportedOnce() throws Exception {
        observed("400m", "c1");
        await().atMost(WITHIN).until(() -> !differences.isEmpty());
        assertThat(differences)
                .containsExactly("container main: its control group has a CPU limit of 200m, and its status has 400m");
        assertThat(pod.limitsDifference()).contains(differences.getFirst());

        write(container, "cpu.max", "40000 100000\n");
        await().atMost(WITHIN).until(() -> pod.limitsDifference().isEmpty());
        write(container, "cpu.max", "max 100000\n");
        await().atMost(WITHIN).until(() -> differences.size() >= 2);
        assertThat(differences.getLast()).contains("its control group has no CPU limit");
    }

    /** A pod that has no limits as a whole may have some in its group: a kubelet adds up those of containers. */
    @Test
    void limitsOfAPodAsAWholeAreComparedWhereItsSpecHasThem() throws Exception {
        write(group, "cpu.max", "20000 100000\n");
        write(group, "memory.max", "1073741824\n");
        whole("300m");
        await().atMost(WITHIN).until(() -> !differences.isEmpty());
        assertThat(differences)
                .containsExactly(
                        "the pod as a whole: its control group has a CPU limit of 200m, and its status has 300m");

        write(group, "cpu.max", "30000 100000\n");
        await().atMost(WITHIN).until(() -> pod.limitsDifference().isEmpty());
        observed("400m", "c1");
        await().atMost(WITHIN).until(() -> differences.size() >= 2);
        assertThat(differences.getLast()).startsWith("container main: ");
    }

    @Test
    void aContainerThatWasStartedAnewIsReadAtItsNewPlace() throws Exception {
        observed("200m", "c1");
        awaitWatched();
        var next = Files.createDirectory(group.resolve("cri-containerd-c2.scope"));
        for (var file : List.of("cpu.stat", "cpu.pressure", "memory.current", "memory.stat", "memory.max")) {
            Files.copy(container.resolve(file), next.resolve(file));
        }
        write(next, "cpu.max", "30000 100000\n");
        observed("200m", "c2");
        await().atMost(WITHIN).until(() -> !differences.isEmpty());
        assertThat(differences.getFirst()).contains("a CPU limit of 300m");
    }

    /** Such as where the process had no descriptors left. */
    @Test
    void whatCouldNotBeWatchedIsTriedAgain() throws Exception {
        Files.delete(group.resolve("memory.events"));
        observed("200m", "c1");
        awaitWatched();
        assertThat(pod.trouble().orElseThrow()).contains("memory.events is not watched");

        write(group, "memory.events", "max 0\noom_kill 0\n");
        observed("200m", "c1");
        await().atMost(WITHIN).until(() -> !pod.trouble().orElse("").contains("memory.events"));
        await().atMost(WITHIN).until(() -> {
            write(group, "memory.events", "max " + System.nanoTime() + "\noom_kill 0\n");
            return !samples.isEmpty();
        });
    }

    /** Such as memory.events, where the kernel has no memory controller: each change of the pod tries it again. */
    @Test
    void whatIsWatchedIsKeptWhileTheRestIsTriedAgain() throws Exception {
        try (var real = TestGroup.make()) {
            Files.delete(group.resolve("memory.events"));
            Files.createSymbolicLink(group.resolve("cpu.pressure"), real.directory.resolve("cpu.pressure"));
            observed("200m", "c1");
            awaitWatched();
            real.work();

            // More often than its trigger can report: one that is made anew each time never does.
            await().pollInterval(Duration.ofMillis(50)).atMost(WITHIN).until(() -> {
                observed("200m", "c1");
                assertThat(pod.trouble().orElse("")).contains("memory.events is not watched");
                return !samples.isEmpty();
            });
            assertThat(samples.getFirst().cause()).isEqualTo(PodSampled.Cause.CPU_STALLED);
        }
    }

    @Test
    void aPodWithoutAGroupIsReported() throws Exception {
        observed("200m", "other");
        await().atMost(WITHIN).until(() -> pod.trouble().isPresent());
        assertThat(pod.trouble()).contains("it has no control group below " + root);
    }

    /** Beside the files of the tree, the pod's CPU is that of a group of the kernel. */
    @Test
    void aPodThatWaitsForCpuIsReadWhileItWaits() throws Exception {
        try (var real = TestGroup.make()) {
            for (var file : List.of("cpu.stat", "cpu.pressure")) {
                Files.delete(container.resolve(file));
                Files.createSymbolicLink(container.resolve(file), real.directory.resolve(file));
            }
            Files.createSymbolicLink(group.resolve("cpu.pressure"), real.directory.resolve("cpu.pressure"));
            Files.createSymbolicLink(group.resolve("memory.pressure"), real.directory.resolve("memory.pressure"));
            observed("200m", "c1");
            real.work();

            await().atMost(WITHIN).until(() -> !samples.isEmpty());
            var sample = samples.getFirst();
            assertThat(sample.cause()).isEqualTo(PodSampled.Cause.CPU_STALLED);
            var first = sample.first().containers().getFirst();
            var last = sample.last().containers().getFirst();
            assertThat(last.cpuMicros()).isGreaterThan(first.cpuMicros());
            assertThat(last.stalledMicros()).isGreaterThan(first.stalledMicros());
            assertThat(pod.trouble()).isEmpty();
        }
    }
}
