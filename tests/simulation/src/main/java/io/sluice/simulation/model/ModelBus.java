package io.sluice.simulation.model;

import io.sluice.simulation.engine.Link;
import io.sluice.simulation.engine.Seconds;
import io.sluice.simulation.engine.Timeline;
import java.util.function.Consumer;

/** Carries requests and observations between the parts, with the faults of their links. */
public final class ModelBus {
    private final World world;

    ModelBus(World world) {
        this.world = world;
    }

    /** A link between two parts; a slow message takes seconds on it. */
    public Link link(String place) {
        return world.faults().link(place, Seconds.of(4));
    }

    /** Serves a request; the reply may come at once or later. */
    @FunctionalInterface
    public interface Server<A> {
        void serve(Consumer<A> answer);
    }

    /** A request whose reply is awaited until its timeout. */
    private static final class Request<A> {
        private Timeline.Timer timeout;
        private final Consumer<A> answered;
        private boolean over;

        private Request(Consumer<A> answered) {
            this.answered = answered;
        }
    }

    /**
     * Sends a request. Either {@code answered} or {@code lost} is called, once; the request itself may arrive late or
     * twice.
     *
     * @param timeout in nanoseconds
     */
    public <A> void request(
            Link there, Link back, long timeout, Server<A> server, Consumer<A> answered, Runnable lost) {
        var request = new Request<>(answered);
        request.timeout = world.time().in(timeout, () -> {
            request.over = true;
            lost.run();
        });
        there.draw();
        if (there.lost()) {
            return;
        }
        world.time().in(there.first(world.time().now()), () -> server.serve(answer -> answer(request, back, answer)));
        if (there.twice()) {
            world.time()
                    .in(there.second(world.time().now()), () -> server.serve(answer -> answer(request, back, answer)));
        }
    }

    private <A> void answer(Request<A> request, Link back, A answer) {
        back.draw();
        if (request.over || back.lost()) {
            return;
        }
        world.time().in(back.first(world.time().now()), () -> {
            if (!request.over) {
                request.over = true;
                request.timeout.cancel();
                request.answered.accept(answer);
            }
        });
    }

    /** Sends a message without a reply, which never arrives twice: use it where the number of arrivals matters. */
    void reportOnce(Link link, Runnable received) {
        link.draw();
        if (!link.lost()) {
            world.time().in(link.first(world.time().now()), received);
        }
    }

    /** Sends a message without a reply. */
    public void report(Link link, Runnable received) {
        link.draw();
        if (link.lost()) {
            return;
        }
        world.time().in(link.first(world.time().now()), received);
        if (link.twice()) {
            world.time().in(link.second(world.time().now()), received);
        }
    }
}
