package io.sluice.placement.scheduler;

import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.placement.core.queue.SchedulingView;
import io.sluice.placement.core.queue.TermStart;
import io.sluice.shell.SoleTerm;
import java.util.Optional;
import java.util.function.Supplier;

/** Whether this process places pods now: in a term, once no bind that was sent before it can take effect any more. */
final class LeadingTerm {
    private final Supplier<SoleTerm> term;
    private final TermStart start;
    private final SchedulingView view;
    private final EarlierBinds earlier;
    private final Bus bus;

    LeadingTerm(Supplier<SoleTerm> term, TermStart start, SchedulingView view, EarlierBinds earlier, Bus bus) {
        this.term = term;
        this.start = start;
        this.view = view;
        this.earlier = earlier;
        this.bus = bus;
    }

    /** Whether pods may be placed now. */
    boolean leads() {
        start.look(term.get().begun());
        return start.leads();
    }

    /**
     * Why nothing may be done of what is decided now, asked later; empty while it may. After a gap in the term that
     * this has met, the term begins anew.
     */
    Supplier<Optional<String>> missing() {
        long during = term.get().number();
        return () -> {
            var now = term.get();
            start.look(now.begun());
            return now.number() == during ? now.missing() : Optional.of("the term in which it was decided is over");
        };
    }

    /** A full list begins. */
    void listBegun() {
        start.look(term.get().begun());
        start.listBegun();
    }

    /** A full list has come through. Returns whether this process places pods from now on. */
    boolean listed() {
        return switch (start.listed()) {
            case NONE -> false;
            case LEAD -> true;
            case TOUCH -> {
                touchAll(term.get().number());
                yield false;
            }
        };
    }

    /** Ends the binds that were sent before this term. */
    private void touchAll(long during) {
        earlier.touchAll(view.waiting(), () -> {
                    start.look(term.get().begun());
                    return start.isTouching(during);
                })
                .onSuccess(touched -> {
                    if (start.touched(during)) {
                        list();
                    }
                });
    }

    /** A list or the request for it may be lost. */
    void listUnlessLeading() {
        if (term.get().missing().isEmpty() && !start.leads()) {
            list();
        }
    }

    private void list() {
        bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest(SchedulerVerticle.PART));
    }
}
