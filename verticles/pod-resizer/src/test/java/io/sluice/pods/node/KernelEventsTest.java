package io.sluice.pods.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: what the kernel reports arrives, and nothing is left behind. Method: real control groups and real files; where
 * control groups cannot be made, those tests are skipped.
 */
class KernelEventsTest {
    private static final Duration WITHIN = Duration.ofSeconds(60);
    private static final String TRIGGER = "some 100000 2000000";
    private static final String SHORT_TRIGGER = "some 50000 500000";
    private static final int SYS_RESOURCE = 24;

    @TempDir
    private Path directory;

    private KernelEvents kernel;

    @BeforeEach
    void start() throws IOException {
        kernel = new KernelEvents();
    }

    @AfterEach
    void stop() throws IOException {
        kernel.close();
    }

    @Test
    void tasksThatWaitForCpuAreReported() throws Exception {
        try (var group = TestGroup.make();
                var other = TestGroup.make()) {
            var busy = new AtomicInteger();
            var idle = new AtomicInteger();
            kernel.pressure(group.directory.resolve("cpu.pressure"), TRIGGER, busy::incrementAndGet);
            kernel.pressure(other.directory.resolve("cpu.pressure"), TRIGGER, idle::incrementAndGet);
            kernel.pressure(group.directory.resolve("memory.pressure"), TRIGGER, idle::incrementAndGet);

            group.work();
            await().atMost(WITHIN).until(() -> busy.get() >= 2);
            assertThat(idle).hasValue(0);
        }
    }

    /** {@code unshare -Ur} in front of the build gives the capability to a process of root that lacks it. */
    @Test
    void aWindowBelowTwoSecondsNeedsTheCapability() throws Exception {
        try (var group = TestGroup.make()) {
            var reports = new AtomicInteger();
            var file = group.directory.resolve("cpu.pressure");
            if (hasSysResource()) {
                kernel.pressure(file, SHORT_TRIGGER, reports::incrementAndGet);
                group.work();
                await().atMost(WITHIN).until(() -> reports.get() >= 2);
            } else {
                assertThatThrownBy(() -> kernel.pressure(file, SHORT_TRIGGER, reports::incrementAndGet))
                        .isInstanceOf(IOException.class)
                        .hasMessage("Invalid argument");
            }
        }
    }

    private static boolean hasSysResource() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("CapEff:"))
                .anyMatch(line ->
                        (Long.parseLong(line.substring("CapEff:".length()).strip(), 16) >> SYS_RESOURCE & 1) == 1);
    }

    @Test
    void whatIsClosedIsReportedNoMore() throws Exception {
        try (var group = TestGroup.make()) {
            var closed = new AtomicInteger();
            var open = new AtomicInteger();
            var file = group.directory.resolve("cpu.pressure");
            kernel.pressure(file, TRIGGER, closed::incrementAndGet).close();
            kernel.pressure(file, TRIGGER, open::incrementAndGet);

            group.work();
            await().atMost(WITHIN).until(() -> open.get() >= 1);
            assertThat(closed).hasValue(0);
        }
    }

    /** The kernel would report the end of a group without end; and its descriptor would be kept. */
    @Test
    void theDescriptorOfAGroupThatIsGoneIsClosed() throws Exception {
        var reports = new AtomicInteger();
        KernelEvents.Watched watched;
        String file;
        try (var group = TestGroup.make()) {
            file = group.directory.resolve("cpu.pressure").toString();
            watched = kernel.pressure(Path.of(file), TRIGGER, reports::incrementAndGet);
            assertThat(openFiles()).contains(file);
        }
        await().atMost(WITHIN).until(() -> openFiles().stream().noneMatch(name -> name.startsWith(file)));
        watched.close();
        assertThat(reports).hasValue(0);
    }

    private static List<String> openFiles() throws IOException {
        try (var descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors
                    .filter(Files::isSymbolicLink)
                    .map(KernelEventsTest::target)
                    .toList();
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException closed) {
            return "";
        }
    }

    /** As memory.events is changed by the kernel itself, so is cgroup.events, which every group has. */
    @Test
    void whatTheKernelChangesInAGroupIsReported() throws Exception {
        try (var group = TestGroup.make()) {
            var changes = new AtomicInteger();
            kernel.changes(group.directory.resolve("cgroup.events"), changes::incrementAndGet);
            group.work();
            await().atMost(WITHIN).until(() -> changes.get() >= 1);
            assertThat(Files.readString(group.directory.resolve("cgroup.events")))
                    .contains("populated 1");
        }
    }

    @Test
    void aFileThatIsWrittenToIsReportedUntilItsWatchIsClosed() throws Exception {
        var changes = new AtomicInteger();
        var others = new AtomicInteger();
        var file = Files.writeString(directory.resolve("cpu.max"), "max 100000\n");
        var other = Files.writeString(directory.resolve("memory.max"), "max\n");
        var watched = kernel.changes(file, changes::incrementAndGet);
        kernel.changes(other, others::incrementAndGet);

        Files.writeString(file, "20000 100000\n");
        await().atMost(WITHIN).until(() -> changes.get() >= 1);
        assertThat(others).hasValue(0);

        watched.close();
        int before = changes.get();
        Files.writeString(file, "30000 100000\n");
        Files.writeString(other, "4096\n");
        await().atMost(WITHIN).until(() -> others.get() >= 1);
        assertThat(changes).hasValue(before);
    }

    /** The kernel's own words reach the operator, and no descriptor stays open. */
    @Test
    void whatTheKernelRefusesHasItsWords() throws Exception {
        try (var group = TestGroup.make()) {
            var file = group.directory.resolve("cpu.pressure");
            assertThatThrownBy(() -> kernel.pressure(file, "some 3000000 2000000", () -> {}))
                    .isInstanceOf(IOException.class)
                    .hasMessage("Invalid argument");
            assertThatThrownBy(() -> kernel.pressure(group.directory.resolve("none"), TRIGGER, () -> {}))
                    .hasMessage("No such file or directory");
            assertThat(openFiles()).doesNotContain(file.toString());
        }
    }
}
