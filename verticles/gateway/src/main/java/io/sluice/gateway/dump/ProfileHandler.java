package io.sluice.gateway.dump;

import io.micrometer.core.instrument.Counter;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replies to {@code POST ...?seconds=N} with a Flight Recorder file of the next N seconds; one recording in the process
 * at a time. The recording ends when its client disconnects.
 */
public final class ProfileHandler implements Handler<RoutingContext> {
    private static final Logger LOG = LoggerFactory.getLogger(ProfileHandler.class);
    private static final int SECONDS_MAX = 300;
    private static final String GONE = "the client disconnected";

    /** Below the idle timeout, and rare enough for Java's own client, which accepts at most eight of them. */
    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(50);

    /** The recorder belongs to the process, not to a listener. */
    private static final AtomicBoolean RECORDING = new AtomicBoolean();

    private final Vertx vertx;
    private final Shell shell;
    private final Duration signOfLife;

    /** Creates a handler for one event loop. */
    public ProfileHandler(Vertx vertx, Shell shell) {
        this(vertx, shell, SIGN_OF_LIFE);
    }

    ProfileHandler(Vertx vertx, Shell shell, Duration signOfLife) {
        this.vertx = Objects.requireNonNull(vertx, "vertx");
        this.shell = Objects.requireNonNull(shell, "shell");
        this.signOfLife = signOfLife;
    }

    @Override
    public void handle(RoutingContext context) {
        var request = context.request();
        if (!request.method().equals(HttpMethod.POST)) {
            request.response().putHeader(HttpHeaders.ALLOW, "POST");
            throw new HttpException(405, "a profile must be requested with POST");
        }
        var length = length(request.params().get("seconds"));
        if (length.isEmpty()) {
            throw new HttpException(400, "seconds must be a whole number from 1 to " + SECONDS_MAX);
        }
        if (!RECORDING.compareAndSet(false, true)) {
            throw new HttpException(409, "another profile is being recorded; one at a time");
        }
        record(context, length.get());
    }

    private void record(RoutingContext context, Duration length) {
        var request = context.request();
        vertx.executeBlocking(FlightRecording::start, false)
                .compose(recording -> passed(request, length)
                        .compose(passed -> vertx.executeBlocking(recording::finish, false))
                        .compose(file -> sent(request, file))
                        .eventually(() -> vertx.executeBlocking(recording::discard, false)))
                .onComplete(done -> RECORDING.set(false))
                .onSuccess(sent -> count("sent"))
                .onFailure(failure -> failed(context, failure));
    }

    /** Nothing of the reply can be sent during the recording, and an idle connection would be closed. */
    private Future<Void> passed(HttpServerRequest request, Duration length) {
        var passed = Promise.<Void>promise();
        long sign = vertx.setPeriodic(signOfLife.toMillis(), timer -> {
            if (request.version() != HttpVersion.HTTP_1_0 && !request.response().closed()) {
                request.response().writeContinue();
            }
        });
        long end = vertx.setTimer(length.toMillis(), timer -> passed.tryComplete());
        whenLeft(request, passed);
        return passed.future().onComplete(done -> {
            vertx.cancelTimer(sign);
            vertx.cancelTimer(end);
        });
    }

    private static Future<Void> sent(HttpServerRequest request, Path file) {
        var sent = Promise.<Void>promise();
        whenLeft(request, sent);
        request.response()
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/octet-stream")
                .putHeader("Content-Disposition", "attachment; filename=\"sluice.jfr\"")
                .sendFile(file.toString())
                .onSuccess(done -> sent.tryComplete())
                .onFailure(sent::tryFail);
        return sent.future();
    }

    private static void whenLeft(HttpServerRequest request, Promise<Void> waiting) {
        request.response().closeHandler(closed -> waiting.tryFail(GONE));
        if (request.response().closed()) {
            waiting.tryFail(GONE);
        }
    }

    private void failed(RoutingContext context, Throwable failure) {
        boolean left = context.response().closed();
        count(left ? "left" : "failed");
        if (!left) {
            LOG.atWarn().addKeyValue(LogKeys.ERROR, failure.toString()).log("A profile could not be recorded.");
            context.fail(new HttpException(500, "the profile could not be recorded: " + failure.getMessage()));
        }
    }

    private void count(String outcome) {
        Counter.builder("sluice.gateway.profiles")
                .description("Profiles by outcome: sent, left by the client, or failed.")
                .tag("outcome", outcome)
                .register(shell.meters())
                .increment();
    }

    private static Optional<Duration> length(String seconds) {
        try {
            int number = Integer.parseInt(String.valueOf(seconds));
            return number >= 1 && number <= SECONDS_MAX ? Optional.of(Duration.ofSeconds(number)) : Optional.empty();
        } catch (NumberFormatException garbage) {
            return Optional.empty();
        }
    }
}
