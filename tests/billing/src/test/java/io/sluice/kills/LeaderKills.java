package io.sluice.kills;

import io.sluice.billing.bill.AccountReader;
import io.sluice.billing.wire.AccountLine;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Three processes of which one bills. The leader, which is the oldest, is killed again and again, and starts again as
 * the youngest, often without its outbox.
 */
final class LeaderKills {
    private static final int PROCESSES = 3;
    private static final int VMS = 20;
    private static final long BEFORE_ANY_KILL_MS = 8_000;

    /** More than a process waits for later checkpoints on the disks of others. */
    private static final long GOES_ON_MAX_MS = 90_000;

    private final Path folder;
    private final Random random;
    private final Receiver receiver;
    private final String classPath;
    private final long seed;
    private final long wall;
    private final long machine;
    private final List<Integer> ports = new ArrayList<>();
    private final Deque<Member> oldestFirst = new ArrayDeque<>();
    private int lives;
    private long stoppedAt;

    private record Member(int slot, Victim victim) {}

    LeaderKills(Path folder, long seed, Receiver receiver) throws IOException {
        this.folder = folder;
        this.receiver = receiver;
        this.seed = seed;
        random = new Random(seed);
        classPath = ClassPath.ofJars(folder);
        long now = Nanos.of(Instant.now());
        wall = now - now % History.SECOND;
        machine = System.nanoTime() - now % History.SECOND;
        while (ports.size() < PROCESSES) {
            addPort(ThreadLocalRandom.current().nextInt(15_000, 30_000));
        }
    }

    /** Of those below the range that the kernel gives to connections, which could take it while its process is dead. */
    private void addPort(int port) {
        if (ports.contains(port)) {
            return;
        }
        try (var socket = new ServerSocket(port)) {
            ports.add(socket.getLocalPort());
        } catch (IOException taken) {
            // Another one.
        }
    }

    void play(int kills) throws IOException, InterruptedException {
        try {
            for (int slot = 0; slot < PROCESSES; slot++) {
                oldestFirst.addLast(start(slot));
            }
            lives(BEFORE_ANY_KILL_MS);
            for (int kill = 0; kill < kills; kill++) {
                lives(2_000 + random.nextInt(3_000));
                if (random.nextBoolean()) {
                    receiver.awaitRequest(3_000);
                }
                killLeader(random.nextBoolean());
            }
            lives(3_000);
            receiver.calm();
            stopAllAndGoOn();
        } finally {
            for (var member : oldestFirst) {
                member.victim().kill();
            }
        }
    }

    /**
     * A leader that still counts another process when it stops leaves its open windows to the next one. So the last
     * leader starts once more, bills on from its checkpoint, and stops alone.
     */
    private void stopAllAndGoOn() throws IOException, InterruptedException {
        int slot = oldestFirst.getFirst().slot();
        while (!oldestFirst.isEmpty()) {
            oldestFirst.removeLast().victim().stop();
        }
        stoppedAt = new SharedClock(wall, machine).nanos();
        oldestFirst.addLast(start(slot));
        if (!receiver.awaitWindowSince(stoppedAt, GOES_ON_MAX_MS)) {
            throw new IllegalStateException("nothing that was used after the stop was billed");
        }
        oldestFirst.removeLast().victim().stop();
    }

    private void killLeader(boolean losesDisk) throws IOException, InterruptedException {
        var leader = oldestFirst.removeFirst();
        leader.victim().kill();
        if (losesDisk) {
            try (var files = Files.walk(directory(leader.slot()).resolve("outbox"))) {
                for (var file : files.filter(Files::isRegularFile).toList()) {
                    Files.delete(file);
                }
            }
        }
        oldestFirst.getFirst().victim().lives(random.nextInt(2_000));
        oldestFirst.addLast(start(leader.slot()));
    }

    private void lives(long ms) throws IOException, InterruptedException {
        oldestFirst.getFirst().victim().lives(ms);
    }

    private Path directory(int slot) {
        return folder.resolve("process-" + slot);
    }

    private Member start(int slot) throws IOException, InterruptedException {
        Files.createDirectories(directory(slot));
        var own = new ArrayList<Integer>();
        own.add(ports.get(slot));
        ports.stream().filter(port -> !own.contains(port)).forEach(own::add);
        var orders = new BillingProcess.Orders(
                directory(slot), receiver.url(), wall, machine, seed, VMS, lives++, 0, 0, own);
        return new Member(slot, Victim.start(classPath, orders).listening());
    }

    History history() {
        return new History(seed, wall, VMS);
    }

    /** What the processes received, by their journals. */
    Observers observers() throws IOException {
        var each = new ArrayList<ObservedHistory>();
        for (int slot = 0; slot < PROCESSES; slot++) {
            each.add(new ObservedHistory(Journal.read(directory(slot).resolve("journal"))));
        }
        return new Observers(each, stoppedAt);
    }

    /** The gaps that any process reported. */
    Set<AccountLine.Unbilled> gaps() throws IOException {
        var gaps = new LinkedHashSet<AccountLine.Unbilled>();
        for (int slot = 0; slot < PROCESSES; slot++) {
            AccountReader.read(directory(slot).resolve("bills"), line -> {
                if (line instanceof AccountLine.Unbilled gap) {
                    gaps.add(gap);
                }
            });
        }
        return gaps;
    }
}
