package io.sluice.cluster.roles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.cluster.process.Place;
import io.sluice.launcher.core.Role;
import io.sluice.shell.LoopbackPorts;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.awaitility.core.ThrowingRunnable;

/** Processes that together have all roles; each that still runs at the end is ended. */
public final class RoleCluster implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration STOP_MAX = Duration.ofSeconds(120);
    private static final String LOGS =
            Path.of("target", "roles").toAbsolutePath().toString();

    private final Path folder;
    private final LabFleet lab;
    private final List<RoleProcess> processes;
    private final Thread atEnd = new Thread(this::discard);

    private RoleCluster(Path folder, int labPort, List<RoleProcess> processes) {
        this.folder = folder;
        this.lab = new LabFleet(labPort);
        this.processes = List.copyOf(processes);
        Runtime.getRuntime().addShutdownHook(atEnd);
    }

    /** Prepares processes without starting them; each is configured with the addresses of the ledger processes. */
    public static RoleCluster onLoopback(String name, Split split) {
        return onLoopback(name, split, "");
    }

    /** @param more further sections of the config of those that place pods */
    public static RoleCluster onLoopback(String name, Split split, String more) {
        return onLoopback(name, split, more, Map.of());
    }

    /** @param environment further variables of each process */
    public static RoleCluster onLoopback(String name, Split split, String more, Map<String, String> environment) {
        var places = new ArrayList<Place>();
        for (int number = 1; number <= split.processes().size(); number++) {
            places.add(new Place(
                    number,
                    "127.0.0.1",
                    LoopbackPorts.next(),
                    LoopbackPorts.next(),
                    LoopbackPorts.next(),
                    LoopbackPorts.next(),
                    List.of()));
        }
        return at(name, split, places, tcp(split, places), more, environment);
    }

    /** Prepares processes without starting them. */
    static RoleCluster at(String name, Split split, List<Place> places, String found) {
        return at(name, split, places, found, "", Map.of());
    }

    private static RoleCluster at(
            String name, Split split, List<Place> places, String found, String more, Map<String, String> environment) {
        var folder = Path.of(LOGS, name + "-" + ProcessHandle.current().pid());
        int labPort = LoopbackPorts.next();
        var processes = new ArrayList<RoleProcess>();
        for (int i = 0; i < places.size(); i++) {
            var config = new RoleConfig(
                    split.processes().get(i),
                    found,
                    split.ledgers(),
                    labPort,
                    LoopbackPorts.next(),
                    LoopbackPorts.next(),
                    split.scalesPods(),
                    more,
                    Distribution.hurry(split.scalesPods()));
            processes.add(new RoleProcess(places.get(i), config, environment, Distribution.home(), folder));
        }
        return new RoleCluster(folder, labPort, processes);
    }

    /** The config keys by which all find the ledger processes. */
    static String tcp(Split split, List<Place> places) {
        return "join: tcp, addresses: "
                + places.stream()
                        .filter(place ->
                                split.processes().get(place.number() - 1).contains(Role.LEDGER))
                        .map(place -> '"' + place.endpoint() + '"')
                        .collect(Collectors.joining(", ", "[", "]"));
    }

    List<RoleProcess> processes() {
        return processes;
    }

    public LabFleet lab() {
        return lab;
    }

    /** The first process with the role. */
    public RoleProcess with(Role role) {
        return all(role).getFirst();
    }

    public List<RoleProcess> all(Role role) {
        return processes.stream().filter(process -> process.has(role)).toList();
    }

    public RoleCluster start() {
        processes.forEach(RoleProcess::start);
        return this;
    }

    /** Waits until all running processes report that they are ready, and each console shows that. */
    public void awaitReady(Duration atMost) {
        var running = processes.stream().filter(RoleProcess::isAlive).toList();
        within(atMost, () -> {
            assertThat(readiness(running))
                    .allSatisfy((pod, text) -> assertThat(text).startsWith("ok"));
            assertThat(running.stream().filter(process -> process.has(Role.GATEWAY)))
                    .allSatisfy(process -> assertThat(process.console().observes(running.size()))
                            .as("%s", process.console().cluster())
                            .isTrue());
        });
    }

    /** Waits until a VM of the lab really has another size than before, and the console shows a VM that was scaled. */
    void awaitScaled(Map<String, String> before, Duration atMost) {
        within(atMost, () -> {
            assertThat(lab.sizes()).hasSameSizeAs(before).isNotEqualTo(before);
            assertThat(with(Role.GATEWAY).console().fleet().path("decisions").findValuesAsText("kind"))
                    .anyMatch(kind -> kind.startsWith("SCALED"));
        });
    }

    /** Waits until the ordinary pod of the lab really has another size than before. */
    void awaitPodScaled(String before, Duration atMost) {
        assertThat(before).as("size of the pod").isNotEmpty();
        within(atMost, () -> assertThat(lab.podSize()).isNotEqualTo(before));
    }

    /** Waits until a VM of the lab has another size than all have at first. */
    void awaitScaled(Duration atMost) {
        within(atMost, () -> assertThat(lab.sizes()).isNotEmpty());
        awaitScaled(lab.sizesAtFirst(), atMost);
    }

    /** Waits until the check passes; a failure names the folder of the logs. */
    public void within(Duration atMost, ThrowingRunnable holds) {
        await("logs in " + folder)
                .atMost(atMost)
                .pollDelay(Duration.ZERO)
                .pollInterval(POLL)
                .ignoreException(UncheckedIOException.class)
                .untilAsserted(holds);
    }

    private static Map<String, String> readiness(List<RoleProcess> some) {
        return some.stream().collect(Collectors.toMap(RoleProcess::toString, RoleProcess::readiness));
    }

    /** SIGTERM to all at once; each ends on its own, with status 0. */
    void stop() {
        processes.forEach(RoleProcess::requestToStop);
        within(
                STOP_MAX,
                () -> assertThat(processes)
                        .allSatisfy(process -> assertThat(process.status()).hasValue(0)));
    }

    private void discard() {
        processes.forEach(RoleProcess::discard);
    }

    @Override
    public void close() {
        discard();
        Runtime.getRuntime().removeShutdownHook(atEnd);
    }
}
