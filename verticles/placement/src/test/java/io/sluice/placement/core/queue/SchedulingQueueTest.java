package io.sluice.placement.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.placement.core.spec.PodSpec;
import io.sluice.placement.core.spec.SpecReader;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SchedulingQueueTest {
    private static final Instant START = Instant.EPOCH;

    private final SchedulingQueue queue = new SchedulingQueue(4);

    private static Instant at(double seconds) {
        return START.plusMillis((long) (1_000 * seconds));
    }

    private static PodSpec pod(String uid, int priority) {
        return SpecReader.pod(
                JsonNodeFactory.instance.objectNode().put("uid", uid).put("priority", priority), 1);
    }

    private List<String> taken() {
        return Stream.generate(queue::take)
                .takeWhile(Optional::isPresent)
                .map(pod -> pod.orElseThrow().uid())
                .toList();
    }

    @Test
    void takesPodsByPriorityAndThenByTime() {
        queue.put(pod("late", 0), at(3));
        queue.put(pod("early", 0), at(1));
        queue.put(pod("important", 10), at(4));
        assertThat(taken()).containsExactly("important", "early", "late");
    }

    @Test
    void keepsTheFirstTimeOfAPodThatChanges() {
        queue.put(pod("one", 0), at(1));
        queue.put(pod("two", 0), at(2));
        queue.put(pod("one", 0), at(3));
        assertThat(taken()).containsExactly("one", "two");
    }

    @Test
    void takesAPodAgainOnlyAfterItsWait() {
        queue.put(pod("one", 0), at(0));
        assertThat(taken()).containsExactly("one");
        queue.put(pod("one", 0), at(0.1));
        assertThat(taken()).as("while it is being tried").isEmpty();
        queue.waits("one", at(0.2));
        queue.look(at(1.1));
        assertThat(taken()).isEmpty();
        queue.look(at(1.2));
        assertThat(taken()).containsExactly("one");
    }

    @Test
    void waitsLongerAfterEachAttemptUpToABound() {
        queue.put(pod("one", 0), at(0));
        var now = at(0);
        for (int seconds : new int[] {1, 2, 4, 8, 16, 32, 60, 60}) {
            assertThat(taken()).containsExactly("one");
            queue.waits("one", now);
            queue.look(now.plusSeconds(seconds).minusMillis(1));
            assertThat(taken()).isEmpty();
            now = now.plusSeconds(seconds);
            queue.look(now);
        }
    }

    @Test
    void triesAPodSoonerOnceNodesHaveChanged() {
        queue.put(pod("one", 0), at(0));
        for (int attempt = 0; attempt < 6; attempt++) {
            queue.look(at(60 * attempt));
            assertThat(taken()).hasSize(1);
            queue.waits("one", at(60 * attempt));
        }
        queue.look(at(311));
        assertThat(taken()).isEmpty();
        queue.changed(at(300.5));
        queue.look(at(309.9));
        assertThat(taken()).as("not before 10 s").isEmpty();
        queue.look(at(310));
        assertThat(taken()).containsExactly("one");
    }

    @Test
    void reportsAReasonOnceUntilItChangesOrWasNotWritten() {
        queue.put(pod("one", 0), at(0));
        assertThat(queue.isNew("one", "full")).isTrue();
        assertThat(queue.isNew("one", "full")).isFalse();
        assertThat(queue.isNew("one", "tainted")).isTrue();
        queue.notReported("one");
        assertThat(queue.isNew("one", "tainted")).isTrue();
        queue.remove("one");
        assertThat(queue.isNew("one", "other")).isFalse();
    }

    @Test
    void triesNoPodAgainBeforeItsBindIsOver() {
        queue.put(pod("one", 0), at(0));
        queue.take();
        queue.inDoubt("one", at(75));
        queue.changed(at(10));
        queue.look(at(74));
        assertThat(taken()).isEmpty();
        queue.look(at(75));
        assertThat(taken()).containsExactly("one");
    }

    @Test
    void hasABound() {
        for (int number = 0; number < 4; number++) {
            assertThat(queue.put(pod("p" + number, 0), at(0))).isTrue();
        }
        assertThat(queue.put(pod("more", 0), at(0))).isFalse();
        assertThat(queue.put(pod("p0", 1), at(0))).isTrue();
        assertThat(queue.size()).isEqualTo(4);
    }
}
