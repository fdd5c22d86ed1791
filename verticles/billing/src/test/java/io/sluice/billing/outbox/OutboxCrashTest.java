package io.sluice.billing.outbox;

import static io.sluice.billing.outbox.OutboxRig.HTTP;
import static io.sluice.billing.outbox.OutboxRig.ROOMY;
import static io.sluice.billing.outbox.OutboxRig.S3;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.billing.outbox.file.OpeningFinding;
import io.sluice.billing.sink.Batch;
import io.sluice.billing.sink.QueueId;
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
 * Goal: whatever was reported as durable survives, exactly once, whenever the process or the machine ends and whatever
 * the disk refuses. Method: a seeded history of writes, closings and removals on a disk that stops in the middle of a
 * write or sync, each time at another place. After each end everything that waits is compared with the reported
 * results.
 */
@DisplayName("F19: the outbox loses nothing to kills, power failures and failed syncs")
class OutboxCrashTest {
    private static final int ENDS = Integer.getInteger("outbox.ends", 60);

    @TempDir
    private Path directory;

    private OutboxRig rig;
    private Random random;
    /** Accepted events without a confirmed removal, by queue. */
    private final Map<QueueId, TreeSet<Integer>> owed = new HashMap<>();
    /** Sent events for which the removal was requested. */
    private final TreeSet<Integer> sent = new TreeSet<>();
    /** Name and body of each batch that was observed; neither may change. */
    private final Map<String, String> observed = new TreeMap<>();

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
                OutboxRig.queue(HTTP, BatchForm.NDJSON, 3, ROOMY),
                OutboxRig.queue(S3, BatchForm.NDJSON, 5, ROOMY));
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
                case 2 -> rig.outbox.closeOpen(queue(), rig.now);
                case 3 -> send(queue());
                default -> throw new IllegalStateException("unknown action");
            }
        } catch (OutboxException failed) {
            // The caller repeats its call; here that is the next action.
        }
    }

    private QueueId queue() {
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
                .forEach((queue, all) -> all.forEach(event ->
                        owed.computeIfAbsent(queue, id -> new TreeSet<>()).add(number(OutboxRig.text(event)))));
    }

    private OutboxWrite newOffer() {
        var both = new HashMap<QueueId, List<byte[]>>();
        for (var queue : List.of(HTTP, S3)) {
            var some = new ArrayList<byte[]>();
            for (int i = random.nextInt(5); i >= 0; i--) {
                events++;
                some.add((events + " ".repeat(random.nextInt(2000))).getBytes(StandardCharsets.UTF_8));
            }
            both.put(queue, some);
        }
        return rig.offer(both, Map.of("last", Integer.toString(events).getBytes(StandardCharsets.UTF_8)));
    }

    private void send(QueueId queue) {
        var head = rig.outbox.head(queue);
        if (head.isPresent()) {
            look(head.get());
            sent.addAll(numbers(head.get()));
            owed.getOrDefault(queue, new TreeSet<>()).removeAll(numbers(head.get()));
            rig.outbox.taken(queue, head.get().id());
        }
    }

    private void look(Batch batch) {
        var before = observed.put(batch.name(), OutboxRig.text(batch.body()));
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
        assertThat(rig.received.findings).as(label).noneMatch(OpeningFinding.Damaged.class::isInstance);
        if (unanswered.isPresent()
                && rig.outbox.lastOffer(OutboxRig.SOURCE) == unanswered.get().number()) {
            answered(unanswered.get());
        }
        for (var queue : List.of(HTTP, S3)) {
            compare(label, queue);
        }
    }

    /** Half of the times it reads by sending everything, otherwise it only counts. */
    private void compare(String label, QueueId queue) {
        var due = owed.getOrDefault(queue, new TreeSet<>());
        var view = rig.outbox.view(queue);
        assertThat(view.events()).as(label).isGreaterThanOrEqualTo(due.size());
        if (random.nextInt(3) > 0) {
            return;
        }
        var found = new ArrayList<Integer>();
        rig.outbox.closeOpen(queue, rig.now);
        for (var head = rig.outbox.head(queue); head.isPresent(); head = rig.outbox.head(queue)) {
            look(head.get());
            found.addAll(numbers(head.get()));
            rig.outbox.taken(queue, head.get().id());
        }
        assertThat(found).as(label).doesNotHaveDuplicates().isSorted().containsAll(due);
        found.removeAll(due);
        assertThat(sent)
                .as(label + ": entries that are there and not expected were sent before")
                .containsAll(found);
        sent.addAll(found);
        sent.addAll(due);
        due.clear();
    }
}
