package io.sluice.workers.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.units.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits as files: a directory stands for the tree of a kernel. */
class ControlGroupsTest {
    private static final Path WORKER = Path.of("/w");

    /** The group of the instance {@code a} of that worker. */
    private static final String A = "a.628";

    @TempDir
    private Path root;

    private ControlGroups ofVersionTwo(String controllers) throws IOException {
        Files.writeString(root.resolve("cgroup.controllers"), controllers);
        Files.writeString(
                Files.createDirectories(root.resolve("sluice-worker")).resolve("cgroup.controllers"), controllers);
        return ControlGroups.below(root, WORKER);
    }

    @Test
    void versionTwoHasOneGroupForBothLimits() throws IOException {
        var groups = ofVersionTwo("cpuset cpu io memory pids\n");
        assertThat(groups.limits()).isTrue();
        var own = root.resolve("sluice-worker");
        assertThat(own.resolve("cgroup.subtree_control")).hasContent("+cpu +memory");

        assertThat(groups.limit("a", new Resources(1_500, 64 << 20))).containsExactly(own.resolve(A));
        assertThat(own.resolve(A + "/cpu.max")).hasContent("150000 100000");
        assertThat(own.resolve(A + "/memory.max")).hasContent("67108864");
        groups.limit("a", new Resources(1, 1 << 20));
        assertThat(own.resolve(A + "/cpu.max")).hasContent("1000 100000");
        assertThat(own.resolve(A + "/memory.max")).hasContent("1048576");
    }

    @Test
    void withoutTheControllersThereAreNoLimits() throws IOException {
        var groups = ofVersionTwo("pids\n");
        assertThat(groups.limits()).isFalse();
        assertThat(groups.limit("a", new Resources(1, 1))).containsExactly(root.resolve("sluice-worker/" + A));
        assertThat(root.resolve("sluice-worker/" + A)).isEmptyDirectory();
    }

    @Test
    void whereNoneCanBeMadeThereAreNone() throws IOException {
        assertThat(ControlGroups.below(root, WORKER).limit("a", new Resources(1, 1)))
                .isEmpty();
    }

    @Test
    void versionOneHasAGroupForEachLimit() throws IOException {
        Files.createFile(Files.createDirectories(root.resolve("cpu")).resolve("cpu.cfs_quota_us"));
        Files.createFile(Files.createDirectories(root.resolve("memory")).resolve("memory.limit_in_bytes"));
        var groups = ControlGroups.below(root, WORKER);
        assertThat(groups.limit("a", new Resources(500, 1 << 20)))
                .containsExactly(root.resolve("cpu/sluice-worker/" + A), root.resolve("memory/sluice-worker/" + A));
        assertThat(root.resolve("cpu/sluice-worker/" + A + "/cpu.cfs_quota_us")).hasContent("50000");
        assertThat(root.resolve("memory/sluice-worker/" + A + "/memory.limit_in_bytes"))
                .hasContent("1048576");
    }
}
