package io.sluice.bench.billing;

import io.sluice.bench.measurement.BenchOption;
import io.sluice.bench.measurement.Child;
import io.sluice.billing.wire.UnreadableEventException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** A {@link BillingProcess} that is measured, its folder, and the receiver of its events. */
final class BillingSubject implements AutoCloseable {
    private static final long LOOK_EVERY_MS = 200;
    private static final double KIB_PER_MIB = 1024;

    private final Path folder;
    private final BillingReceiver receiver;
    private final Child process;
    private final int vms;

    private BillingSubject(Path folder, BillingReceiver receiver, Child process, int vms) {
        this.folder = folder;
        this.receiver = receiver;
        this.process = process;
        this.vms = vms;
    }

    /**
     * Starts it.
     *
     * @param heap heap as a JVM option
     * @param windowMs length of windows
     * @param lookMs interval at which usage meters are read and written to the checkpoint
     */
    static BillingSubject start(String heap, int vms, long windowMs, long lookMs, boolean leads) throws IOException {
        var folder = Files.createTempDirectory("sluice-bench-");
        var receiver = new BillingReceiver(folder.resolve("batches"));
        var process = Child.start(
                BillingProcess.class,
                jvm(heap),
                folder.resolve("outbox").toString(),
                receiver.url(),
                Integer.toString(vms),
                Long.toString(windowMs),
                Long.toString(lookMs),
                Boolean.toString(leads));
        return new BillingSubject(folder, receiver, process, vms);
    }

    private static List<String> jvm(String heap) {
        return BenchOption.recorded(List.of("-Xmx" + heap, "-XX:+ExitOnOutOfMemoryError"), 1);
    }

    BillingReceiver receiver() {
        return receiver;
    }

    /** Sends an order and returns the figures of the process. */
    JsonObject request(String order) throws IOException {
        process.order(order);
        return new JsonObject(process.next());
    }

    /** Waits until all VMs have a usage meter. */
    void awaitListed() throws IOException, InterruptedException {
        awaitUntil(look -> look.getLong("metered") == vms);
    }

    /** Waits until the figures match. Usage that is given up is an error. */
    void awaitUntil(Predicate<JsonObject> happened) throws IOException, InterruptedException {
        for (var look = request("look"); !happened.test(look); look = request("look")) {
            if (look.getLong("givenUp") > 0) {
                throw new IllegalStateException("it is too slow and gives usage up: " + look);
            }
            Thread.sleep(LOOK_EVERY_MS);
        }
    }

    static double difference(String field, JsonObject before, JsonObject after) {
        return after.getLong(field) - before.getLong(field);
    }

    double residentMiB() throws IOException {
        var line = Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                .filter(text -> text.startsWith("VmRSS:"))
                .findFirst()
                .orElseThrow();
        return Long.parseLong(line.replaceAll("\\D", "")) / KIB_PER_MIB;
    }

    /** Length of the outbox file. */
    long fileBytes() throws IOException {
        return Files.size(folder.resolve("outbox").resolve("outbox-1.db"));
    }

    /** The events that the receiver got; it accepts no more. */
    BillingAudit taken() throws IOException, UnreadableEventException {
        receiver.close();
        return BillingAudit.of(folder.resolve("batches"));
    }

    @Override
    public void close() throws IOException {
        process.close();
        receiver.close();
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
