package io.sluice.simulation.model;

import io.sluice.simulation.engine.Link;
import io.sluice.simulation.engine.Seconds;
import io.sluice.simulation.engine.Timeline;
import java.util.function.Consumer;

/** Carries questions and facts between the parts, as unkindly as their links are. */
final class ModelBus {
    private final World world;

    ModelBus(World world) {
        this.world = world;
    }

    /** A link between two parts, on which a slow message takes seconds. */
    Link link(String place) {
        return world.faults().link(place, Seconds.of(4));
    }

    /** Serves a question; the answer may come at once or later. */
    @FunctionalInterface
    interface Server<A> {
        void serve(Consumer<A> answer);
    }

    /** A question whose answer is awaited for a while. */
    private static final class Question<A> {
        private Timeline.Timer timeout;
        private final Consumer<A> answered;
        private boolean over;

        private Question(Consumer<A> answered) {
            this.answered = answered;
        }
    }

    /**
     * Asks; either {@code answered} or {@code lost} is called, once, though the question may be heard later and again.
     *
     * @param timeout in nanoseconds
     */
    <A> void ask(Link there, Link back, long timeout, Server<A> server, Consumer<A> answered, Runnable lost) {
        var question = new Question<>(answered);
        question.timeout = world.time().in(timeout, () -> {
            question.over = true;
            lost.run();
        });
        there.draw();
        if (there.lost()) {
            return;
        }
        world.time().in(there.first(world.time().now()), () -> server.serve(answer -> answer(question, back, answer)));
        if (there.twice()) {
            world.time()
                    .in(there.second(world.time().now()), () -> server.serve(answer -> answer(question, back, answer)));
        }
    }

    private <A> void answer(Question<A> question, Link back, A answer) {
        back.draw();
        if (question.over || back.lost()) {
            return;
        }
        world.time().in(back.first(world.time().now()), () -> {
            if (!question.over) {
                question.over = true;
                question.timeout.cancel();
                question.answered.accept(answer);
            }
        });
    }

    /** Tells; nobody answers, and nobody hears it twice: what counts how often it is told is told by nobody again. */
    void tellOnce(Link link, Runnable heard) {
        link.draw();
        if (!link.lost()) {
            world.time().in(link.first(world.time().now()), heard);
        }
    }

    /** Tells; nobody answers. */
    void tell(Link link, Runnable heard) {
        link.draw();
        if (link.lost()) {
            return;
        }
        world.time().in(link.first(world.time().now()), heard);
        if (link.twice()) {
            world.time().in(link.second(world.time().now()), heard);
        }
    }
}
