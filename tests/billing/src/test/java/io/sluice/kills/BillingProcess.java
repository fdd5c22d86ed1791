package io.sluice.kills;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.billing.BillingConfig;
import io.sluice.billing.BillingVerticle;
import io.sluice.shell.Dumps;
import io.sluice.shell.Peers;
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
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** The process that is killed: it bills, and tells itself what there is to bill. */
final class BillingProcess {
    private static final long PATIENCE_S = 20;

    private BillingProcess() {}

    /** Takes a {@link Orders}, as text. */
    public static void main(String[] arguments) throws IOException {
        var orders = Orders.of(arguments);
        endWithParent();
        var clock = new SharedClock(orders.wallNanos(), orders.machineNanos());
        var journal = new Journal(orders.journal());
        // One event loop: what is told, heard and written down comes one after the other.
        var vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        var shell = new Shell(
                clock,
                new SimpleMeterRegistry(),
                new SimpleMeterRegistry(),
                new Readiness(),
                new Dumps(),
                new Random(),
                Peers.ALONE);
        var deployed = done(vertx.deployVerticle(new BillingVerticle(config(orders), shell)));
        journal.add(new Journal.Line.Began(orders.life(), ahead(shell)));
        var history = orders.history();
        var teller = new HistoryPublisher(history, clock, journal, orders.silentFrom(), orders.silentTo());
        var tells = done(vertx.deployVerticle(teller));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            // First whoever writes down what is heard: nothing is to be billed of what comes after.
            done(vertx.undeploy(tells));
            done(vertx.undeploy(deployed));
        }));
        System.out.println(Victim.LISTENS);
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
                // So that what is said of each charge becomes durable with it.
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
                    // Whatever is said, only the end counts.
                }
            } catch (IOException broken) {
                // That is an end too.
            }
            Runtime.getRuntime().halt(1);
        });
    }

    private static <T> T done(Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(PATIENCE_S, TimeUnit.SECONDS)
                .join();
    }

    /**
     * What a process is started with.
     *
     * @param folder its own, the same for each life
     * @param url of the receiver
     * @param wallNanos of the shared clock; the history begins then
     * @param machineNanos of the shared clock
     * @param seed of the history
     * @param vms of the history
     * @param life which one this is
     * @param silentFrom from when nothing is told
     * @param silentTo until when nothing is told
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
            long silentTo) {
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
                    Long.parseLong(words[8]));
        }

        String[] words() {
            return new String[] {
                folder.toString(),
                url,
                Long.toString(wallNanos),
                Long.toString(machineNanos),
                Long.toString(seed),
                Integer.toString(vms),
                Integer.toString(life),
                Long.toString(silentFrom),
                Long.toString(silentTo)
            };
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
