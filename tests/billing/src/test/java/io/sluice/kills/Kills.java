package io.sluice.kills;

import io.sluice.billing.bill.AccountReader;
import io.sluice.billing.sink.EventKind;
import io.sluice.billing.sink.file.BadLine;
import io.sluice.billing.sink.file.EventFiles;
import io.sluice.billing.wire.AccountLine;
import io.sluice.billing.wire.UnreadableEventException;
import io.sluice.billing.wire.UsageEvent;
import io.sluice.billing.wire.UsageEventJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Runs a billing process, kills it repeatedly at different moments, and collects the evidence. */
final class Kills {
    private static final int VMS = 20;
    private static final long SILENT_AFTER = 2 * History.SECOND;
    private static final long SILENT_FOR = 7 * History.SECOND;
    private static final long QUIET_LIFE_MS = 2_000;

    /** On a busy machine a process may stop before it has sent everything. */
    private static final int LAST_LIVES_MAX = 5;

    private final Path folder;
    private final Random random;
    private final Receiver receiver;
    private final BillingProcess.Orders orders;
    private final String classPath;
    private int lives;

    Kills(Path folder, long seed, Receiver receiver) throws IOException {
        this.folder = folder;
        this.receiver = receiver;
        random = new Random(seed);
        classPath = ClassPath.ofJars(folder);
        long wall = Nanos.of(Instant.now());
        long second = wall - wall % History.SECOND;
        long machine = System.nanoTime() - wall % History.SECOND;
        orders = new BillingProcess.Orders(folder, receiver.url(), second, machine, seed, VMS, 0, 0, 0, List.of());
    }

    /**
     * One life that ends normally, those that are killed, and last ones that end normally, at a receiver that accepts
     * everything, until all that was billed has arrived everywhere.
     */
    void play(int kills, int silences) throws IOException, InterruptedException {
        liveAndStop();
        for (int kill = 0; kill < kills; kill++) {
            if (silences > 0 && kill % (kills / silences) == kills / silences / 2) {
                liveThroughSilence();
            }
            liveAndBeKilled();
        }
        receiver.calm();
        liveAndStop();
        for (int life = 1; life < LAST_LIVES_MAX && !evidence().isWhole(); life++) {
            liveAndStop();
        }
    }

    private Victim start(long silentFrom, long silentTo) throws IOException {
        var next = new BillingProcess.Orders(
                folder,
                orders.url(),
                orders.wallNanos(),
                orders.machineNanos(),
                orders.seed(),
                VMS,
                lives++,
                silentFrom,
                silentTo,
                List.of());
        return Victim.start(classPath, next);
    }

    private Victim start() throws IOException {
        return start(0, 0);
    }

    private void liveAndStop() throws IOException, InterruptedException {
        start().listening().lives(QUIET_LIFE_MS).stop();
    }

    /** A silence that is long enough to count as missed changes. */
    private void liveThroughSilence() throws IOException, InterruptedException {
        long from = new SharedClock(orders.wallNanos(), orders.machineNanos()).nanos() + SILENT_AFTER;
        long ms = (SILENT_AFTER + SILENT_FOR) / 1_000_000;
        start(from, from + SILENT_FOR).listening().lives(ms).kill();
    }

    private void liveAndBeKilled() throws IOException, InterruptedException {
        var victim = start();
        switch (Fate.of(random)) {
            case AT_START -> victim.lives(random.nextInt(600)).kill();
            case AT_STOP -> victim.listening().lives(random.nextInt(1_500)).killWhileItStops(random.nextInt(200));
            case AFTER_REQUEST -> {
                victim.listening();
                receiver.awaitRequest(3_000);
                victim.lives(random.nextInt(30)).kill();
            }
            case ANYWHERE -> victim.listening().lives(random.nextInt(1_800)).kill();
        }
    }

    /** When a life ends. */
    private enum Fate {
        /** While the process starts, or just after. */
        AT_START,
        /** While it stops, or just after. */
        AT_STOP,
        /** Just after it sent a request. */
        AFTER_REQUEST,
        ANYWHERE;

        static Fate of(Random random) {
            int dice = random.nextInt(20);
            if (dice < 3) {
                return AT_START;
            } else if (dice < 6) {
                return AT_STOP;
            }
            return dice < 13 ? AFTER_REQUEST : ANYWHERE;
        }
    }

    Evidence evidence() throws IOException {
        var filed = new ArrayList<UsageEvent>();
        var account = new ArrayList<AccountLine>();
        var badLines = new ArrayList<BadLine>();
        new EventFiles<>(Kills::event, filed::add, badLines::add).readAll(orders.bills(), EventKind.BILLING);
        badLines.addAll(AccountReader.read(orders.bills(), account::add));
        var strange = new ArrayList<>(receiver.strange());
        badLines.forEach(line -> strange.add(line.toString()));
        return new Evidence(
                orders.history(),
                Journal.read(orders.journal()),
                receiver.taken(),
                List.copyOf(filed),
                List.copyOf(account),
                strange);
    }

    /** The size of the outbox's directory in bytes. */
    long outboxBytes() throws IOException {
        try (var files = Files.list(folder.resolve("outbox"))) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        }
    }

    private static UsageEvent event(String line) throws IOException {
        try {
            return UsageEventJson.read(line);
        } catch (UnreadableEventException noEvent) {
            throw new IOException(noEvent.getMessage(), noEvent);
        }
    }
}
