package io.sluice.workers.agent;

import io.sluice.units.Resources;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What an instance of the kind {@code Pod} starts: one container, by runc, from a directory that is its root.
 *
 * @param environment may have secrets: it is in a file that only this user may read, and in no argument
 */
record PodDefinition(Path runc, Path root, List<String> command, Map<String, String> environment, Resources limits)
        implements Startable {
    /** The kind in definitions. */
    static final String KIND = "Pod";

    private static final long PERIOD_MICROS = 100_000;
    private static final int PIDS_MAX = 4_096;
    private static final List<String> NAMESPACES = List.of("pid", "ipc", "uts", "mount");

    /**
     * What a pod does not see of the machine. Its processes have no capability but are the machine's user 0, to whom
     * files of the kernel are open by their modes.
     */
    private static final List<String> MASKED = List.of(
            "/proc/acpi",
            "/proc/asound",
            "/proc/kcore",
            "/proc/keys",
            "/proc/latency_stats",
            "/proc/sched_debug",
            "/proc/scsi",
            "/proc/timer_list",
            "/proc/timer_stats",
            "/sys/devices/virtual/powercap",
            "/sys/firmware");

    private static final List<String> READ_ONLY =
            List.of("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger");

    static PodDefinition read(JsonObject definition, Path runc, List<String> roots) throws ProcessDefinition.Unfit {
        try {
            var containers = definition.getJsonObject("spec").getJsonArray("containers");
            if (containers.size() != 1) {
                throw new ProcessDefinition.Unfit("it has not exactly one container");
            }
            var container = containers.getJsonObject(0);
            var command = new ArrayList<String>();
            container.getJsonArray("command").forEach(part -> command.add((String) part));
            container.getJsonArray("args", new JsonArray()).forEach(part -> command.add((String) part));
            var root = Path.of(container.getString("rootfs", ""));
            return new PodDefinition(
                    runc,
                    ProcessDefinition.allowed(root, roots, "root directory"),
                    List.copyOf(command),
                    ProcessDefinition.environment(container.getJsonObject("env", new JsonObject())),
                    Resources.NONE);
        } catch (DecodeException | ClassCastException | InvalidPathException | NullPointerException unreadable) {
            throw new ProcessDefinition.Unfit("its definition has not the form of a pod");
        }
    }

    @Override
    public PodDefinition limited(Resources amounts) {
        return new PodDefinition(runc, root, command, environment, amounts);
    }

    @Override
    public Prepared prepare(Path directory, String instance) throws IOException {
        Files.createDirectories(directory);
        var config = WorkerDirectory.writeSecret(
                directory.resolve("config.json"), config(instance).encode());
        var state = directory.resolveSibling("runc").toString();
        var name = "sluice-" + instance;
        // A container that an earlier guard could not end would keep the name.
        var cleanup = "rm -f %s\nexec %s --root %s delete --force %s"
                .formatted(
                        ShellText.quoted(config.toString()),
                        ShellText.quoted(runc.toString()),
                        ShellText.quoted(state),
                        ShellText.quoted(name));
        return new Prepared(
                List.of(runc.toString(), "--root", state, "run", "--bundle", directory.toString(), name),
                Map.of(),
                cleanup);
    }

    /** By the specification of the Open Container Initiative for runtimes, version 1.0. */
    private JsonObject config(String instance) {
        var variables = new JsonArray().add("PATH=/usr/sbin:/usr/bin:/sbin:/bin");
        environment.forEach((key, value) -> variables.add(key + "=" + value));
        var none = new JsonArray();
        var capabilities = new JsonObject();
        for (var set : List.of("bounding", "effective", "permitted", "inheritable", "ambient")) {
            capabilities.put(set, none);
        }
        var namespaces = new JsonArray();
        NAMESPACES.forEach(namespace -> namespaces.add(new JsonObject().put("type", namespace)));
        return new JsonObject()
                .put("ociVersion", "1.0.2")
                .put("hostname", instance)
                .put("root", new JsonObject().put("path", root.toString()).put("readonly", true))
                .put(
                        "process",
                        new JsonObject()
                                .put("cwd", "/")
                                .put("args", new JsonArray(new ArrayList<>(command)))
                                .put("env", variables)
                                .put("noNewPrivileges", true)
                                .put("capabilities", capabilities)
                                .put("user", new JsonObject().put("uid", 0).put("gid", 0)))
                .put("mounts", mounts())
                .put(
                        "linux",
                        new JsonObject()
                                .put("namespaces", namespaces)
                                .put("maskedPaths", new JsonArray(MASKED))
                                .put("readonlyPaths", new JsonArray(READ_ONLY))
                                .put("seccomp", RefusedCalls.filter())
                                .put("cgroupsPath", "/sluice-worker-pods/" + instance)
                                .put("resources", resources()));
    }

    private static JsonArray mounts() {
        return new JsonArray()
                .add(mount("/proc", "proc", "nosuid", "noexec", "nodev"))
                .add(mount("/dev", "tmpfs", "nosuid", "mode=755"))
                .add(mount("/tmp", "tmpfs", "nosuid", "nodev"));
    }

    private static JsonObject mount(String destination, String type, String... options) {
        return new JsonObject()
                .put("destination", destination)
                .put("type", type)
                .put("source", type)
                .put("options", new JsonArray(List.of(options)));
    }

    private JsonObject resources() {
        var resources = new JsonObject().put("pids", new JsonObject().put("limit", PIDS_MAX));
        if (!limits.hasZero()) {
            resources
                    .put(
                            "cpu",
                            new JsonObject()
                                    .put("period", PERIOD_MICROS)
                                    .put("quota", limits.milliCpu() * PERIOD_MICROS / 1_000))
                    .put("memory", new JsonObject().put("limit", limits.memoryBytes()));
        }
        return resources;
    }
}
