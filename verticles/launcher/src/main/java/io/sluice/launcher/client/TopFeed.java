package io.sluice.launcher.client;

import io.sluice.shell.Backoff;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;

/** Reads the stream of a console for as long as the program runs, and the pods that wait, which are in no stream. */
final class TopFeed {
    private static final Duration PODS_EVERY = Duration.ofSeconds(2);
    private static final Backoff AGAIN = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(10));

    private final ConsoleClient client;
    private final TopFleet fleet;

    TopFeed(ConsoleClient client, TopFleet fleet) {
        this.client = client;
        this.fleet = fleet;
    }

    /** Reads once what a stream begins with. */
    void once() {
        fleet.pods(client.json("api/pods"));
        fleet.received("fleet", client.json("api/fleet"));
    }

    /** Reads from now on. */
    void start() {
        Thread.ofPlatform().daemon().name("sluice-top-stream").start(this::follow);
        Thread.ofPlatform().daemon().name("sluice-top-pods").start(this::pods);
    }

    private void follow() {
        var failures = AGAIN.failures(new Random());
        do {
            try {
                client.events("api/stream", (event, data) -> received(event, data, failures));
                fleet.lost("the stream has ended");
            } catch (IOException | ConsoleException lost) {
                fleet.lost(String.valueOf(lost.getMessage()));
            }
        } while (slept(Duration.ofMillis(failures.nextMs())));
    }

    private boolean received(String event, String data, Backoff.Failures failures) throws IOException {
        failures.reset();
        fleet.received(event, Json.read(data));
        return true;
    }

    /** Without a reply the list stays as it was: the stream shows whether the process is there. */
    private void pods() {
        do {
            try {
                fleet.pods(client.json("api/pods"));
            } catch (ConsoleException ignored) {
                continue;
            }
        } while (slept(PODS_EVERY));
    }

    private static boolean slept(Duration time) {
        try {
            Thread.sleep(time);
            return true;
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
