package io.sluice.bus;

import io.sluice.trace.CurrentSpan;
import io.sluice.trace.TraceSpan;
import io.sluice.trace.Tracer;
import io.sluice.wire.WireCodec;
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
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.LoggerFactory;

/**
 * The only access to the event bus. It registers every codec whatever the role of its process, so that no message is
 * refused because its codec is missing.
 *
 * <p>Handlers and replies run on the context on which {@link #serve} or {@link #subscribe} was called: call them in a
 * verticle's start. Safe from any thread.
 */
public final class Bus {
    /** The failure code of a request when its handler threw or failed. */
    public static final int ANSWERER_FAILED = 1;

    /** The failure code of a request that could not be decoded. */
    public static final int REQUEST_UNREADABLE = 2;

    private static final int REASON_CHARACTERS_MAX = 1_000;
    private static final Map<EventBus, Line> LINES = new WeakHashMap<>();

    private final EventBus eventBus;
    private final Tap tap;
    private final Set<String> servedHere;
    private final AtomicReference<Tracer> tracer;
    private final ErrorLog complaints = new ErrorLog(LoggerFactory.getLogger(Bus.class), System::nanoTime);
    private final Map<String, Semaphore> freeInFlight = new ConcurrentHashMap<>();

    /** Creates access to this Vert.x's event bus; several may share one Vert.x. */
    public Bus(Vertx vertx) {
        eventBus = vertx.eventBus();
        var line = lineOf(eventBus);
        tap = line.tap();
        servedHere = line.servedHere();
        tracer = line.tracer();
    }

    /**
     * State that all instances on one event bus share.
     *
     * @param tap shows the messages that are sent and received
     * @param servedHere the names of the addresses that were served at some time in this process
     * @param tracer of this process
     */
    private record Line(Tap tap, Set<String> servedHere, AtomicReference<Tracer> tracer) {}

    /** The shared state of an event bus; created once, after all codecs are registered. */
    private static Line lineOf(EventBus eventBus) {
        synchronized (LINES) {
            return LINES.computeIfAbsent(eventBus, unknown -> {
                Catalogue.codecs().forEach(codec -> unknown.registerCodec(new DecodedCodec<>(codec)));
                return new Line(new Tap(), ConcurrentHashMap.newKeySet(), new AtomicReference<>(Tracer.NONE));
            });
        }
    }

    /** The tap that shows every message sent or received through this Vert.x, by any {@code Bus}. */
    public Tap tap() {
        return tap;
    }

    /** The tracer of this process; it records nothing until {@link #traceWith}. */
    public Tracer tracer() {
        return tracer.get();
    }

    /** Requests of all {@code Bus} of this Vert.x carry the span of their sender, and are steps of it, from now on. */
    public void traceWith(Tracer used) {
        tracer.set(used);
    }

    /**
     * Sends a request and waits for its reply, at most the address's timeout. A handler in this process is preferred to
     * handlers in other processes.
     *
     * @return fails only when no reply came: no process serves the address, no reply came in time, the handler threw,
     *     the reply was unreadable, or {@link TooManyInFlightException}. A refusal is a reply.
     */
    public <Q, A> Future<A> request(RequestAddress<Q, A> address, Q request) {
        var free = freeInFlight.computeIfAbsent(address.noun(), name -> new Semaphore(address.maxInFlight()));
        if (!free.tryAcquire()) {
            return Future.failedFuture(new TooManyInFlightException(address.name(), address.maxInFlight()));
        }
        var options = traced(options(address.request()), CurrentSpan.get())
                .setSendTimeout(address.timeout().toMillis());
        var passing = passing(address, request, Tap.Direction.OUT);
        try {
            return send(address, request, options)
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

    private <Q, A> Future<Message<Decoded<A>>> send(RequestAddress<Q, A> address, Q request, DeliveryOptions options) {
        if (!servedHere.contains(address.name())) {
            return eventBus.request(address.name(), request, options);
        }
        var here = new DeliveryOptions(options).setLocalOnly(true);
        return eventBus.<Decoded<A>>request(address.name(), request, here)
                .recover(lost -> isUnserved(lost)
                        ? eventBus.request(address.name(), request, options)
                        : Future.failedFuture(lost));
    }

    private static boolean isUnserved(Throwable lost) {
        return lost instanceof ReplyException reply && reply.failureType() == ReplyFailure.NO_HANDLERS;
    }

    /**
     * Serves an address from now on. If the handler throws or its future fails, the request fails at once with the
     * reason.
     *
     * @return completes once every Hazelcast member can reach this consumer
     */
    public <Q, A> Future<Void> serve(RequestAddress<Q, A> address, Function<Q, Future<A>> answer) {
        var consumer = eventBus.<Decoded<Q>>consumer(address.name());
        consumer.handler(message -> read(message)
                .onFailure(unreadable -> refuse(address, message, REQUEST_UNREADABLE, unreadable))
                .onSuccess(request -> {
                    var passing = passing(address, request, Tap.Direction.IN);
                    var span = received(message, address.noun(), TraceSpan.Kind.SERVER);
                    CurrentSpan.during(span, () -> request(answer, request)).onComplete(ended -> {
                        passing.ended(ended, Tap.Direction.OUT);
                        end(span, ended);
                        reply(address, message, ended);
                    });
                }));
        servedHere.add(address.name());
        return consumer.completion();
    }

    /** Publishes an event to all current consumers, without a confirmation. */
    public <E> void publish(EventAddress<E> address, E event) {
        show(address, event, Tap.Direction.OUT);
        eventBus.publish(address.name(), event, options(address.event()));
    }

    /** Publishes an event whose handling is a step of a trace at each consumer. */
    public <E> void publish(EventAddress<E> address, E event, TraceSpan span) {
        show(address, event, Tap.Direction.OUT);
        eventBus.publish(address.name(), event, traced(options(address.event()), span));
    }

    /** Publishes an event to the current consumers in this process alone. */
    public <E> void publishHere(EventAddress<E> address, E event) {
        show(address, event, Tap.Direction.OUT);
        eventBus.publish(address.name(), event, options(address.event()).setLocalOnly(true));
    }

    /**
     * Consumes events from now on. An unreadable event, or one that the handler throws on, is logged and skipped.
     *
     * @return completes once every Hazelcast member can reach this consumer
     */
    public <E> Future<Void> subscribe(EventAddress<E> address, Consumer<E> handler) {
        var consumer = eventBus.<Decoded<E>>consumer(address.name());
        consumer.handler(message -> read(message)
                .map(event -> {
                    show(address, event, Tap.Direction.IN);
                    handle(handler, event, received(message, address.name(), TraceSpan.Kind.CONSUMER));
                    return event;
                })
                .onFailure(thrown -> complaints.about(address.name(), "An event was skipped.", thrown)));
        return consumer.completion();
    }

    private static <E> void handle(Consumer<E> handler, E event, TraceSpan span) {
        try {
            CurrentSpan.during(span, () -> handler.accept(event));
        } catch (RuntimeException | Error thrown) {
            span.failed(cut(words(thrown)));
            throw thrown;
        } finally {
            span.end();
        }
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

    private <Q, A> InTransit<A> passing(RequestAddress<Q, A> address, Q request, Tap.Direction direction) {
        if (!tap.isOpen()) {
            return new InTransit<>(tap, address, Optional.empty());
        }
        tap.show(new Tap.Passage(
                address.name(),
                Tap.Kind.REQUEST,
                direction,
                address.request(),
                Optional.of(request),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
        return new InTransit<>(tap, address, Optional.of(new Requested(request, System.nanoTime())));
    }

    /** A request that is under way, with what the tap showed of it, if it had a listener. */
    private record InTransit<A>(Tap tap, RequestAddress<?, A> address, Optional<Requested> requested) {
        void ended(AsyncResult<A> answer, Tap.Direction direction) {
            if (tap.isOpen()) {
                tap.show(new Tap.Passage(
                        address.name(),
                        Tap.Kind.REPLY,
                        direction,
                        address.answer(),
                        Optional.ofNullable(answer.result()),
                        requested.map(Requested::request),
                        requested.map(request -> System.nanoTime() - request.atNanos()),
                        Optional.ofNullable(answer.cause()).map(cause -> cut(cause.toString()))));
            }
        }
    }

    private record Requested(Object request, long atNanos) {}

    private static <T> Future<T> read(Message<Decoded<T>> message) {
        return Future.succeededFuture(message).map(Message::body).map(Decoded::message);
    }

    private static <Q, A> Future<A> request(Function<Q, Future<A>> answer, Q request) {
        return Future.succeededFuture(request)
                .map(answer)
                .compose(reply -> reply == null ? Future.succeededFuture() : reply);
    }

    private <A> void reply(RequestAddress<?, A> address, Message<?> message, AsyncResult<A> ended) {
        if (ended.failed()) {
            refuse(address, message, ANSWERER_FAILED, ended.cause());
        } else if (ended.result() == null) {
            refuse(address, message, ANSWERER_FAILED, new IllegalStateException("the reply is null"));
        } else {
            message.reply(ended.result(), options(address.answer()));
        }
    }

    private void refuse(RequestAddress<?, ?> address, Message<?> message, int code, Throwable thrown) {
        complaints.about(address.name(), "A request was not replied to.", thrown);
        message.fail(code, cut(address.name() + ": " + words(thrown)));
    }

    /** Exceptions of Sluice have a sentence; of others the class says more than their message. */
    private static String words(Throwable thrown) {
        boolean own = thrown.getClass().getName().startsWith("io.sluice.");
        return own && thrown.getMessage() != null ? thrown.getMessage() : thrown.toString();
    }

    /** Cuts a failure's text to the length that the bus carries. */
    static String cut(String reason) {
        return reason.substring(0, Math.min(reason.length(), REASON_CHARACTERS_MAX));
    }

    /** The span that the message's sender worked for is continued here. */
    private TraceSpan received(Message<?> message, String name, TraceSpan.Kind kind) {
        var used = tracer.get();
        var header = used.isOn() ? message.headers().get(TraceSpan.HEADER) : null;
        return header == null ? TraceSpan.NONE : used.continued(header, name, kind);
    }

    private static void end(TraceSpan span, AsyncResult<?> ended) {
        if (ended.failed()) {
            span.failed(cut(words(ended.cause())));
        }
        span.end();
    }

    private static DeliveryOptions traced(DeliveryOptions options, TraceSpan span) {
        return span.isRecorded() ? options.addHeader(TraceSpan.HEADER, span.header()) : options;
    }

    private static DeliveryOptions options(WireCodec<?> codec) {
        return new DeliveryOptions().setCodecName(codec.name());
    }
}
