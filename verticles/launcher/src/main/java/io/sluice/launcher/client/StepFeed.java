package io.sluice.launcher.client;

import io.sluice.replay.recording.RecordingWriter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The steps of a running fleet's runners, read from the tap and written to a recording. */
final class StepFeed {
    private static final Duration AGAIN_AFTER = Duration.ofSeconds(1);

    private final ConsoleOptions console;
    private final String path;
    private final RecordingWriter writer;
    private long dropped;
    private final CountDownLatch stop = new CountDownLatch(1);

    /** @param vm only of this VM */
    StepFeed(ConsoleOptions console, Optional<String> vm, RecordingWriter writer) {
        this.console = console;
        this.path = "api/tap?address=agent.step&kind=event"
                + vm.map(name -> "&vm=" + ConsoleClient.encoded(name)).orElse("");
        this.writer = writer;
    }

    /**
     * Reads until {@link #stop}. A tap that ends is opened again; what was missed meanwhile is missing from the
     * recording, which a replay counts.
     */
    void follow() throws IOException {
        var client = console.client();
        boolean connected = false;
        while (!isStopped()) {
            try {
                dropped = 0;
                client.events(path, this::read);
                connected = true;
            } catch (UncheckedIOException unwritten) {
                throw unwritten.getCause();
            } catch (ConsoleException refused) {
                if (!connected) {
                    throw refused;
                }
            } catch (IOException broken) {
                connected = true;
            }
            if (!isStopped()) {
                System.err.println("sluice: the tap ended, and is opened again");
                pause();
            }
        }
    }

    /** Ends the reading with the next event. */
    void stop() {
        stop.countDown();
    }

    private boolean isStopped() {
        return stop.getCount() == 0;
    }

    private void pause() throws IOException {
        try {
            stop.await(AGAIN_AFTER.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    private boolean read(String event, String data) throws IOException {
        var read = Json.read(data);
        try {
            if (event.equals("dropped")) {
                writer.dropped(read.path("dropped").number() - dropped);
                dropped = read.path("dropped").number();
                System.err.println("sluice: " + dropped + " messages were dropped so far: --vm records fewer VMs");
            } else if (event.equals("message")
                    && "out".equals(read.path("direction").text())) {
                step(read.path("body"));
            }
        } catch (IOException unwritten) {
            throw new UncheckedIOException(unwritten);
        }
        return !isStopped();
    }

    private void step(Json body) throws IOException {
        var vm = body.path("vm");
        var shadow = body.path("shadowCu");
        writer.step(
                vm.path("namespace").text() + "/" + vm.path("name").text(),
                vm.path("uid").text(),
                body.path("node").text(),
                body.path("runner").text(),
                body.path("number").number(),
                (int) body.path("goalCu").number(),
                shadow.isNumber() ? OptionalInt.of((int) shadow.number()) : OptionalInt.empty(),
                body.path("entries").values().stream().map(Json::text).collect(Collectors.joining()));
    }
}
