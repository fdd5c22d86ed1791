package io.sluice.workers.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: a pod has no way to the machine's kernel by files. Method: the file for runc; {@code WorkersTest} runs it. */
class PodDefinitionTest {
    @TempDir
    private Path directory;

    private JsonObject config() throws Exception {
        return config(directory);
    }

    private JsonObject config(Path root) throws Exception {
        prepare(root, Path.of("/usr/sbin/runc"));
        return new JsonObject(Files.readString(directory.resolve("a/config.json")));
    }

    private Startable.Prepared prepare(Path root, Path runc) throws Exception {
        var container = new JsonObject().put("rootfs", root.toString()).put("command", new JsonArray().add("/bin/web"));
        var definition =
                new JsonObject().put("spec", new JsonObject().put("containers", new JsonArray().add(container)));
        return PodDefinition.read(definition, runc, List.of(directory.toString()))
                .prepare(directory.resolve("a"), "a");
    }

    @Test
    void filesOfTheKernelAreHiddenOrCannotBeWritten() throws Exception {
        var linux = config().getJsonObject("linux");

        assertThat(linux.getJsonArray("maskedPaths")).contains("/proc/kcore", "/proc/keys", "/sys/firmware");
        assertThat(linux.getJsonArray("readonlyPaths"))
                .contains("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger");
    }

    @Test
    void systemCallsThatChangeTheMachineAreRefused() throws Exception {
        var calls = config().getJsonObject("linux").getJsonObject("seccomp").getJsonArray("syscalls").stream()
                .map(JsonObject.class::cast)
                .toList();

        assertThat(calls.getFirst().getJsonArray("names")).contains("bpf", "mount", "unshare", "userfaultfd");
        assertThat(calls).allMatch(call -> call.getString("action").equals("SCMP_ACT_ERRNO"));
        assertThat(calls.getLast().getJsonArray("names")).containsExactly("clone");
        assertThat(calls.getLast().getJsonArray("args").getJsonObject(0).getLong("value"))
                .isEqualTo(0x1000_0000L);
    }

    @Test
    void nothingRunsFromProc() throws Exception {
        var proc = config().getJsonArray("mounts").stream()
                .map(JsonObject.class::cast)
                .filter(mount -> mount.getString("destination").equals("/proc"))
                .toList();

        assertThat(proc).hasSize(1);
        assertThat(proc.getFirst().getJsonArray("options")).containsExactly("nosuid", "noexec", "nodev");
    }

    @Test
    void aPodOfAnySizeHasALimitOfProcesses() throws Exception {
        assertThat(config().getJsonObject("linux").getJsonObject("resources").getJsonObject("pids"))
                .isEqualTo(new JsonObject().put("limit", 4_096));
    }

    @Test
    void itsRootIsWhatALinkLeadsToWhenItIsRead() throws Exception {
        var link = Files.createSymbolicLink(directory.resolve("link"), directory);

        assertThat(config(link).getJsonObject("root").getString("path"))
                .isEqualTo(directory.toRealPath().toString());
    }

    @Test
    void whatEndsItLeavesNoSecretsWhateverItsDirectoryIsNamed() throws Exception {
        var arguments = directory.resolve("arguments");
        var runc = Files.writeString(
                Files.createDirectory(directory.resolve("it's here")).resolve("runc"),
                "#!/bin/sh\nprintf '%s\\n' \"$@\" > '" + arguments + "'\n");
        Files.setPosixFilePermissions(runc, PosixFilePermissions.fromString("rwx------"));
        var cleanup = prepare(directory, runc).cleanup();
        assertThat(directory.resolve("a/config.json")).exists();

        assertThat(new ProcessBuilder("/bin/sh", "-c", cleanup).start().waitFor())
                .isZero();

        assertThat(directory.resolve("a/config.json")).doesNotExist();
        assertThat(arguments).hasContent("--root\n" + directory.resolve("runc") + "\ndelete\n--force\nsluice-a\n");
    }
}
