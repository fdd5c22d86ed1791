package io.sluice.cluster.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sluice.cluster.process.Cut;
import io.sluice.cluster.process.Namespaces;
import io.sluice.cluster.process.Place;
import io.sluice.cluster.process.SluiceProcess;
import io.sluice.cluster.roles.Distribution;
import io.sluice.cluster.roles.OnlyWithFaults;
import io.sluice.cluster.roles.ProcessFault;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Goal: a process with the role workers that is cut off from the ledger stops nothing, and after the cut all is as it
 * was. Method: three members with the ledger, in network namespaces; the role is in one of them, or in a fourth
 * process; the workers are beside it, so that the cut does not reach them.
 */
@OnlyWithFaults
class WorkersInASplitTest {
    private static final int LEDGERS = 3;
    private static final Duration APART = Duration.ofSeconds(30);
    private static final Pattern RESERVED =
            Pattern.compile("(?m)^sluice_ledger_reserved_cpu_cores\\{.*node=\"(worker:w\\d)\".*} (\\S+)$");

    @TempDir
    private Path directory;

    private Namespaces ground;
    private final List<SluiceProcess> others = new ArrayList<>();
    private WorkerProcesses fleet;

    @AfterEach
    void stop() {
        if (fleet != null) {
            fleet.close();
        }
        others.forEach(SluiceProcess::discard);
        if (ground != null) {
            ground.close();
        }
    }

    private String config(Place place, String roles) {
        var addresses = Stream.of(1, 2, 3)
                .map(number -> "\"" + ground.place(number).endpoint() + "\"")
                .collect(Collectors.joining(", "));
        return """
            roles: [%1$s]
            placement: {scorePeak: 0}
            hazelcast: {join: tcp, host: %2$s, port: %3$d, busPort: %4$d, addresses: [%5$s], ledgers: 3,
              trustedNetwork: true}
            gateway: {ops: {host: %2$s, port: %6$d, insecure: true}}
            """.formatted(roles, place.host(), place.port(), place.busPort(), addresses, place.opsPort());
    }

    private SluiceProcess process(Place place, String roles) {
        return new SluiceProcess(place, token -> config(place, roles), Map::of, Distribution.home(), directory);
    }

    private void start(int number, String roles) {
        var process = process(ground.place(number), roles);
        process.start();
        others.add(process);
    }

    /** By each process that has the worker's ledger. */
    private Map<String, List<Double>> reserved(SluiceProcess cutOff) {
        var shown = new TreeMap<String, List<Double>>();
        Stream.concat(others.stream(), Stream.of(cutOff))
                .forEach(process -> RESERVED.matcher(process.metrics())
                        .results()
                        .forEach(line -> shown.computeIfAbsent(line.group(1), node -> new ArrayList<>())
                                .add(Double.parseDouble(line.group(2)))));
        return shown;
    }

    /** The ledger has what runs, and no process shows anything else. */
    private void awaitLedger(SluiceProcess cutOff) {
        WorkerProcesses.withCommands().untilAsserted(() -> {
            var listed = fleet.reserved();
            var shown = reserved(cutOff);
            assertThat(shown).containsOnlyKeys(listed.keySet());
            assertThat(shown)
                    .allSatisfy((worker, cores) -> assertThat(cores).as(worker).containsOnly(listed.get(worker)));
        });
    }

    @ParameterizedTest(name = "{1}, cut off from the others")
    @CsvSource(delimiter = '|', textBlock = """
        3 | ledger, workers
        4 | workers\
        """)
    void cutOff(int number, String roles) throws IOException {
        assumeThat(Namespaces.unavailable()).isEmpty();
        ground = Namespaces.make(number);
        var place = ground.place(number);
        start(1, "ledger, placement");
        for (int ledger = 2; ledger <= LEDGERS; ledger++) {
            if (ledger != number) {
                start(ledger, "ledger");
            }
        }
        fleet = new WorkerProcesses(
                directory, directory.resolve("store").toString(), config(place, roles), place.prefix(), "scheduler");
        fleet.start();
        // The fleet has started it; here it is only read.
        var cutOff = process(place, roles);
        awaitLedger(cutOff);
        var before = fleet.plain();

        ground.cut(List.of(place), others.stream().map(SluiceProcess::place).toList(), Cut.DROP);
        ProcessFault.last(APART);
        assertThat(fleet.plain()).isEqualTo(before);
        ground.heal();

        fleet.awaitAll();
        awaitLedger(cutOff);
        assertThat(fleet.plain()).isEqualTo(before);
        fleet.noExclusiveRanTwice();
    }
}
