package io.sluice.placement.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.placement.core.queue.TermStart.Action;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TermStartTest {
    private final TermStart start = new TermStart();

    private Action list() {
        start.listBegun();
        return start.listed();
    }

    private void begin(long term) {
        start.look(Optional.of(term));
    }

    @Test
    void leadsAfterAListThatBeganOnceAllThatWaitedWereTouched() {
        assertThat(list()).as("without a term").isEqualTo(Action.NONE);
        begin(1);
        assertThat(list()).isEqualTo(Action.TOUCH);
        assertThat(list()).as("while pods are touched").isEqualTo(Action.NONE);
        start.listBegun();
        assertThat(start.touched(1)).isTrue();
        assertThat(start.listed()).as("a list that began before").isEqualTo(Action.NONE);
        assertThat(start.leads()).isFalse();
        assertThat(list()).isEqualTo(Action.LEAD);
        assertThat(start.leads()).isTrue();
        assertThat(list()).isEqualTo(Action.NONE);
    }

    @Test
    void aListThatBeganBeforeTheTermDoesNotCount() {
        start.listBegun();
        begin(1);
        assertThat(start.listed()).isEqualTo(Action.NONE);
    }

    @Test
    void beginsAnewWithAnotherTerm() {
        begin(1);
        list();
        begin(2);
        assertThat(start.touched(1)).as("of the term before").isFalse();
        assertThat(list()).isEqualTo(Action.TOUCH);
        assertThat(start.isTouching(2)).isTrue();
        start.touched(2);
        list();
        start.look(Optional.empty());
        assertThat(start.leads()).isFalse();
    }
}
