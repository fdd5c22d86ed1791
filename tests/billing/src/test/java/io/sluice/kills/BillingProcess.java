package io.sluice.kills;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.billing.BillingConfig;
import io.sluice.billing.BillingVerticle;
import io.sluice.launcher.cluster.BusTlsFiles;
import io.sluice.launcher.cluster.Discovery;
import io.sluice.launcher.cluster.HazelcastConfig;
import io.sluice.launcher.cluster.Membership;
import io.sluice.launcher.core.Role;
import io.sluice.ledger.LedgerConfig;
import io.sluice.ledger.clustered.ClusteredLedger;
import io.sluice.shell.Dumps;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.shell.config.ConfigReader;
import io.sluice.shell.config.ConfigSources;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The process that is killed: it bills, and publishes the history that is to be billed. */
final class BillingProcess {
    private static final long TIMEOUT_S = 120;
    private static final int LEDGERS = 3;

    private BillingProcess() {}

    /** @param arguments the {@link Orders} as text */
    public static void main(String[] arguments) throws Exception {
        var orders = Orders.of(arguments);
        endWithParent();
        var clock = new SharedClock(orders.wallNanos(), orders.machineNanos());
        var journal = new Journal(orders.journal());
        // One event loop, so that publishing, receiving and writing happen in order.
        var vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        var shell = new Shell(
                clock,
                new SimpleMeterRegistry(),
                new SimpleMeterRegistry(),
                new Readiness(),
                new Dumps(),
                new Random());
        if (!orders.ports().isEmpty()) {
            var membership = join(orders, shell.readiness());
            shell = shell.among(membership.peers(), membership.replica(vertx));
        }
        var deployed = done(vertx.deployVerticle(new BillingVerticle(config(orders), shell)));
        journal.add(new Journal.Line.Began(orders.life(), ahead(shell)));
        var history = orders.history();
        var publisher = new HistoryPublisher(history, clock, journal, orders.silentFrom(), orders.silentTo());
        var reports = done(vertx.deployVerticle(publisher));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            // Undeploys the publisher with its journal first: nothing that comes later may be billed.
            done(vertx.undeploy(reports));
            done(vertx.undeploy(deployed));
        }));
        System.out.println(Victim.LISTENS);
    }

    /** Joins the other processes; each keeps copies for the others. */
    private static Membership join(Orders orders, Readiness readiness) throws Exception {
        var defaults = HazelcastConfig.DEFAULTS;
        var config = new HazelcastConfig(
                Discovery.TCP,
                "kills-" + orders.wallNanos(),
                defaults.host(),
                orders.ports().getFirst(),
                defaults.busPort(),
                "",
                orders.ports().stream()
                        .map(port -> defaults.host() + ":" + port)
                        .toList(),
                "",
                "",
                LEDGERS,
                BusTlsFiles.NONE,
                false);
        var ledger =
                new ClusteredLedger(LedgerConfig.DEFAULTS.rules(), LEDGERS, System::nanoTime, InstantSource.system());
        return Membership.join(config, Set.of(Role.BILLING, Role.LEDGER), Optional.of(ledger), readiness, () -> false)
                .orElseThrow();
    }

    private static long ahead(Shell shell) {
        var metering = done(shell.dumps().parts().get("billing").read("metering"));
        return Duration.parse(new JsonObject(metering).getString("clockAhead")).toNanos();
    }

    private static BillingConfig config(Orders orders) {
        var folder = orders.folder();
        var keys = Map.of(
                "sluice.collectEvery", "100ms",
                "sluice.accumulateEvery", "1s",
                // So that the account line of each record becomes durable with it.
                "sluice.auditEvery", "0s",
                "sluice.directory", folder.resolve("outbox").toString(),
                "sluice.file.directory", orders.bills().toString(),
                "sluice.file.pushEvery", "100ms",
                "sluice.http.url", orders.url(),
                "sluice.http.pushEvery", "100ms",
                "sluice.http.pushTimeout", "1s",
                "sluice.http.maxBatchSize", "40");
        return ConfigReader.read(
                BillingConfig.class,
                BillingConfig.DEFAULTS,
                new ConfigSources(JsonNodeFactory.instance.objectNode(), Map.of(), keys));
    }

    private static void endWithParent() {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                while (System.in.read() >= 0) {
                    // The input is ignored; only its end counts.
                }
            } catch (IOException broken) {
                // A broken input counts as its end.
            }
            Runtime.getRuntime().halt(1);
        });
    }

    private static <T> T done(Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(TIMEOUT_S, TimeUnit.SECONDS)
                .join();
    }

    /**
     * The parameters of a process.
     *
     * @param folder its directory, the same for each life
     * @param url URL of the receiver
     * @param wallNanos wall time of the shared clock; the history begins then
     * @param machineNanos monotonic time of the shared clock
     * @param seed seed of the history
     * @param vms number of VMs of the history
     * @param life number of this life
     * @param silentFrom start of the time in which nothing is published
     * @param silentTo end of the time in which nothing is published
     * @param ports ports of the processes of which one leads, its own first; none for a process that is alone
     */
    record Orders(
            Path folder,
            String url,
            long wallNanos,
            long machineNanos,
            long seed,
            int vms,
            int life,
            long silentFrom,
            long silentTo,
            List<Integer> ports) {
        static Orders of(String[] words) {
            return new Orders(
                    Path.of(words[0]),
                    words[1],
                    Long.parseLong(words[2]),
                    Long.parseLong(words[3]),
                    Long.parseLong(words[4]),
                    Integer.parseInt(words[5]),
                    Integer.parseInt(words[6]),
                    Long.parseLong(words[7]),
                    Long.parseLong(words[8]),
                    Arrays.stream(words).skip(9).map(Integer::valueOf).toList());
        }

        String[] words() {
            var words = new ArrayList<>(List.of(
                    folder.toString(),
                    url,
                    Long.toString(wallNanos),
                    Long.toString(machineNanos),
                    Long.toString(seed),
                    Integer.toString(vms),
                    Integer.toString(life),
                    Long.toString(silentFrom),
                    Long.toString(silentTo)));
            ports.forEach(port -> words.add(port.toString()));
            return words.toArray(String[]::new);
        }

        History history() {
            return new History(seed, wallNanos, vms);
        }

        Path journal() {
            return folder.resolve("journal");
        }

        Path bills() {
            return folder.resolve("bills");
        }
    }
}
