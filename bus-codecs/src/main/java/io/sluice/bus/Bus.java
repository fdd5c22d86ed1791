package io.sluice.bus;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.LoggerFactory;

/**
 * The only door to the event bus. It knows every codec whatever the role of its process, so that no message is refused
 * for its codec's name alone.
 *
 * <p>Handlers and answers run on the context that {@link #serve} or {@link #subscribe} was called on: call them in a
 * verticle's start. Safe from any thread.
 */
public final class Bus {
    /** The failure code of an asker whose answerer threw, or failed. */
    public static final int ANSWERER_FAILED = 1;

    /** The failure code of an asker whose question could not be read. */
    public static final int QUESTION_UNREADABLE = 2;

    private static final int REASON_CHARACTERS_MAX = 1_000;
    private static final Map<EventBus, Line> LINES = new WeakHashMap<>();

    private final EventBus eventBus;
    private final Tap tap;
    private final Set<String> servedHere;
    private final ErrorLog complaints = new ErrorLog(LoggerFactory.getLogger(Bus.class), System::nanoTime);
    private final Map<String, Semaphore> freeInFlight = new ConcurrentHashMap<>();

    /** The bus of this Vert.x; there may be several for one. */
    public Bus(Vertx vertx) {
        eventBus = vertx.eventBus();
        var line = lineOf(eventBus);
        tap = line.tap();
        servedHere = line.servedHere();
    }

    /**
     * What all that speak on one event bus share.
     *
     * @param tap shows what passes
     * @param servedHere the names of the addresses that were once served in this process
     */
    private record Line(Tap tap, Set<String> servedHere) {}

    /** There is one for each event bus, made when all codecs were registered with it. */
    private static Line lineOf(EventBus eventBus) {
        synchronized (LINES) {
            return LINES.computeIfAbsent(eventBus, unknown -> {
                Catalogue.codecs().forEach(codec -> unknown.registerCodec(new DecodedCodec<>(codec)));
                return new Line(new Tap(), ConcurrentHashMap.newKeySet());
            });
        }
    }

    /** Shows every message that passes through this Vert.x, whichever {@code Bus} it passes through. */
    public Tap tap() {
        return tap;
    }

    /**
     * Asks, and waits for the address's timeout at most. Whoever serves the address in this process is asked before any
     * other.
     *
     * @return fails only when no answer came: nobody serves, nobody answered in time, the answerer threw, the answer
     *     was unreadable, or {@link TooManyInFlightException}. A refusal is an answer.
     */
    public <Q, A> Future<A> request(RequestAddress<Q, A> address, Q question) {
        var free = freeInFlight.computeIfAbsent(address.noun(), name -> new Semaphore(address.maxInFlight()));
        if (!free.tryAcquire()) {
            return Future.failedFuture(new TooManyInFlightException(address.name(), address.maxInFlight()));
        }
        var options =
                options(address.question()).setSendTimeout(address.timeout().toMillis());
        var passing = passing(address, question, Tap.Direction.OUT);
        try {
            return send(address, question, options)
                    .map(reply -> reply.body().message())
                    .onComplete(ended -> {
                        free.release();
                        passing.ended(ended, Tap.Direction.IN);
                    });
        } catch (RuntimeException notSent) {
            free.release();
            return Future.failedFuture(notSent);
        }
    }

    private <Q, A> Future<Message<Decoded<A>>> send(RequestAddress<Q, A> address, Q question, DeliveryOptions options) {
        if (!servedHere.contains(address.name())) {
            return eventBus.request(address.name(), question, options);
        }
        var here = new DeliveryOptions(options).setLocalOnly(true);
        return eventBus.<Decoded<A>>request(address.name(), question, here)
                .recover(lost -> isUnserved(lost)
                        ? eventBus.request(address.name(), question, options)
                        : Future.failedFuture(lost));
    }

    private static boolean isUnserved(Throwable lost) {
        return lost instanceof ReplyException reply && reply.failureType() == ReplyFailure.NO_HANDLERS;
    }

    /**
     * Answers from now on. What throws or fails makes the asker fail at once, with the reason.
     *
     * @return completes once every member of the cluster can reach this consumer
     */
    public <Q, A> Future<Void> serve(RequestAddress<Q, A> address, Function<Q, Future<A>> answer) {
        var consumer = eventBus.<Decoded<Q>>consumer(address.name());
        consumer.handler(message -> read(message)
                .onFailure(unreadable -> refuse(address, message, QUESTION_UNREADABLE, unreadable))
                .onSuccess(question -> {
                    var passing = passing(address, question, Tap.Direction.IN);
                    ask(answer, question).onComplete(ended -> {
                        passing.ended(ended, Tap.Direction.OUT);
                        reply(address, message, ended);
                    });
                }));
        servedHere.add(address.name());
        return consumer.completion();
    }

    /** Tells everybody who is listening now. Nobody learns whether it was heard. */
    public <E> void publish(EventAddress<E> address, E event) {
        show(address, event, Tap.Direction.OUT);
        eventBus.publish(address.name(), event, options(address.event()));
    }

    /**
     * Hears from now on. An event that is unreadable, or whose handler throws, is logged and skipped.
     *
     * @return completes once every member of the cluster can reach this consumer
     */
    public <E> Future<Void> subscribe(EventAddress<E> address, Consumer<E> handler) {
        var consumer = eventBus.<Decoded<E>>consumer(address.name());
        consumer.handler(message -> read(message)
                .map(event -> {
                    show(address, event, Tap.Direction.IN);
                    handler.accept(event);
                    return event;
                })
                .onFailure(thrown -> complaints.about(address.name(), "An event was skipped.", thrown)));
        return consumer.completion();
    }

    private <E> void show(EventAddress<E> address, E event, Tap.Direction direction) {
        if (tap.isOpen()) {
            tap.show(new Tap.Passage(
                    address.name(),
                    Tap.Kind.EVENT,
                    direction,
                    address.event(),
                    Optional.of(event),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty()));
        }
    }

    private <Q, A> InTransit<A> passing(RequestAddress<Q, A> address, Q question, Tap.Direction direction) {
        if (!tap.isOpen()) {
            return new InTransit<>(tap, address, Optional.empty());
        }
        tap.show(new Tap.Passage(
                address.name(),
                Tap.Kind.REQUEST,
                direction,
                address.question(),
                Optional.of(question),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
        return new InTransit<>(tap, address, Optional.of(new Asked(question, System.nanoTime())));
    }

    /** A question that was seen to pass, if anybody was looking, and whose answer will. */
    private record InTransit<A>(Tap tap, RequestAddress<?, A> address, Optional<Asked> asked) {
        void ended(AsyncResult<A> answer, Tap.Direction direction) {
            if (tap.isOpen()) {
                tap.show(new Tap.Passage(
                        address.name(),
                        Tap.Kind.REPLY,
                        direction,
                        address.answer(),
                        Optional.ofNullable(answer.result()),
                        asked.map(Asked::question),
                        asked.map(question -> System.nanoTime() - question.atNanos()),
                        Optional.ofNullable(answer.cause()).map(cause -> cut(cause.toString()))));
            }
        }
    }

    private record Asked(Object question, long atNanos) {}

    private static <T> Future<T> read(Message<Decoded<T>> message) {
        return Future.succeededFuture(message).map(Message::body).map(Decoded::message);
    }

    private static <Q, A> Future<A> ask(Function<Q, Future<A>> answer, Q question) {
        return Future.succeededFuture(question)
                .map(answer)
                .compose(reply -> reply == null ? Future.succeededFuture() : reply);
    }

    private <A> void reply(RequestAddress<?, A> address, Message<?> message, AsyncResult<A> ended) {
        if (ended.failed()) {
            refuse(address, message, ANSWERER_FAILED, ended.cause());
        } else if (ended.result() == null) {
            refuse(address, message, ANSWERER_FAILED, new IllegalStateException("the answer is null"));
        } else {
            message.reply(ended.result(), options(address.answer()));
        }
    }

    private void refuse(RequestAddress<?, ?> address, Message<?> message, int code, Throwable thrown) {
        complaints.about(address.name(), "A question was not answered.", thrown);
        message.fail(code, cut(address.name() + ": " + thrown));
    }

    /** Reasons come from anywhere and are carried by the bus: they have a bound. */
    static String cut(String reason) {
        return reason.substring(0, Math.min(reason.length(), REASON_CHARACTERS_MAX));
    }

    private static DeliveryOptions options(WireCodec<?> codec) {
        return new DeliveryOptions().setCodecName(codec.name());
    }
}
