package io.sluice.billing.outbox;

import static io.sluice.billing.outbox.OutboxRig.HTTP;
import static io.sluice.billing.outbox.OutboxRig.ROOMY;
import static io.sluice.billing.outbox.OutboxRig.S3;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.billing.outbox.file.OpeningFinding;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: whatever was answered for survives, exactly once, whenever the process or the machine ends and whatever the
 * disk refuses. Method: a seeded history of offers, closings and removals on a disk that stops in the middle of a write
 * or sync, each time somewhere else; after each end everything that waits is compared with what was answered.
 */
@DisplayName("F19: the outbox loses nothing to kills, power failures and failed syncs")
class OutboxCrashTest {
    private static final int ENDS = Integer.getInteger("outbox.ends", 60);

    @TempDir
    private Path directory;

    private OutboxRig rig;
    private Random random;
    /** Accepted and not known to be removed, by lane. */
    private final Map<QueueId, TreeSet<Integer>> owed = new HashMap<>();
    /** Sent, and asked to be removed. */
    private final TreeSet<Integer> sent = new TreeSet<>();
    /** Name and body of each batch that was ever seen: neither may change. */
    private final Map<String, String> seen = new TreeMap<>();

    private Optional<OutboxWrite> unanswered = Optional.empty();
    private int events;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void losesNothingToKills(long seed) throws IOException {
        play(seed, () -> rig.disk.restart());
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14})
    void losesNothingToPowerFailures(long seed) throws IOException {
        play(seed, () -> rig.disk.restartAfterPowerFailure(random));
    }

    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23, 24})
    void losesNothingToSyncsThatFailAndThenPowerFailures(long seed) throws IOException {
        play(seed, () -> {
            rig.disk.restartAfterPowerFailure(random);
            rig.disk.failSyncs(random.nextInt(3));
        });
    }

    private interface Restart {
        void restart() throws IOException;
    }

    private void play(long seed, Restart restart) throws IOException {
        random = new Random(seed);
        rig = OutboxRig.with(
                directory,
                OutboxRig.lane(HTTP, BatchForm.NDJSON, 3, ROOMY),
                OutboxRig.lane(S3, BatchForm.NDJSON, 5, ROOMY));
        for (int end = 0; end < ENDS; end++) {
            rig.disk.dieAfter(1 + random.nextInt(40));
            while (!rig.disk.isOff()) {
                act();
            }
            rig.outbox.close();
            restart.restart();
            reopen();
            compare(seed, end);
        }
        rig.outbox.close();
    }

    private void reopen() throws IOException {
        try {
            rig.open();
        } catch (IOException syncsFail) {
            rig.disk.failSyncs(0);
            rig.open();
        }
    }

    private void act() {
        rig.now = rig.now.plusSeconds(60);
        try {
            switch (random.nextInt(4)) {
                case 0, 1 -> offer();
                case 2 -> rig.outbox.closeOpen(lane(), rig.now);
                case 3 -> send(lane());
                default -> throw new IllegalStateException("no such act");
            }
        } catch (OutboxException failed) {
            // Whoever hears of it asks again; here that is the next act.
        }
    }

    private QueueId lane() {
        return random.nextBoolean() ? HTTP : S3;
    }

    private void offer() {
        var offer = unanswered.orElseGet(this::newOffer);
        unanswered = Optional.of(offer);
        var answer = rig.outbox.accept(offer, rig.now);
        assertThat(answer).isInstanceOf(WriteResult.Taken.class);
        answered(offer);
    }

    private void answered(OutboxWrite offer) {
        unanswered = Optional.empty();
        offer.events()
                .forEach((lane, all) -> all.forEach(event ->
                        owed.computeIfAbsent(lane, id -> new TreeSet<>()).add(number(OutboxRig.text(event)))));
    }

    private OutboxWrite newOffer() {
        var both = new HashMap<QueueId, List<byte[]>>();
        for (var lane : List.of(HTTP, S3)) {
            var some = new ArrayList<byte[]>();
            for (int i = random.nextInt(5); i >= 0; i--) {
                events++;
                some.add((events + " ".repeat(random.nextInt(2000))).getBytes(StandardCharsets.UTF_8));
            }
            both.put(lane, some);
        }
        return rig.offer(both, Map.of("last", Integer.toString(events).getBytes(StandardCharsets.UTF_8)));
    }

    private void send(QueueId lane) {
        var head = rig.outbox.head(lane);
        if (head.isPresent()) {
            look(head.get());
            sent.addAll(numbers(head.get()));
            owed.getOrDefault(lane, new TreeSet<>()).removeAll(numbers(head.get()));
            rig.outbox.taken(lane, head.get().id());
        }
    }

    private void look(Batch batch) {
        var before = seen.put(batch.name(), OutboxRig.text(batch.body()));
        assertThat(before).isIn(null, OutboxRig.text(batch.body()));
    }

    private static List<Integer> numbers(Batch batch) {
        return OutboxRig.text(batch.body()).lines().map(OutboxCrashTest::number).toList();
    }

    private static int number(String event) {
        return Integer.parseInt(event.strip());
    }

    private void compare(long seed, int end) {
        var label = "seed %d end %d".formatted(seed, end);
        assertThat(rig.heard.findings).as(label).noneMatch(OpeningFinding.Damaged.class::isInstance);
        if (unanswered.isPresent()
                && rig.outbox.lastOffer(OutboxRig.SOURCE) == unanswered.get().number()) {
            answered(unanswered.get());
        }
        for (var lane : List.of(HTTP, S3)) {
            compare(label, lane);
        }
    }

    /** Reads by sending all of it, half of the times; else only counts. */
    private void compare(String label, QueueId lane) {
        var due = owed.getOrDefault(lane, new TreeSet<>());
        var view = rig.outbox.view(lane);
        assertThat(view.events()).as(label).isGreaterThanOrEqualTo(due.size());
        if (random.nextInt(3) > 0) {
            return;
        }
        var found = new ArrayList<Integer>();
        rig.outbox.closeOpen(lane, rig.now);
        for (var head = rig.outbox.head(lane); head.isPresent(); head = rig.outbox.head(lane)) {
            look(head.get());
            found.addAll(numbers(head.get()));
            rig.outbox.taken(lane, head.get().id());
        }
        assertThat(found).as(label).doesNotHaveDuplicates().isSorted().containsAll(due);
        found.removeAll(due);
        assertThat(sent)
                .as(label + ": what is there and not owed was sent before")
                .containsAll(found);
        sent.addAll(found);
        sent.addAll(due);
        due.clear();
    }
}
