package io.sluice.cluster.placement;

import io.sluice.units.Resources;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Pods that come and go, more than fit. Each is tried again until it is bound, at one extender after the other; every
 * third one by two schedulers at once. Every second one is Guaranteed.
 */
final class PodLoad implements AutoCloseable {
    private static final int PODS = 24;
    private static final int THREADS = 6;
    private static final int BACK_OFF_MS = 300;
    private static final int LIFE_MS = 12_000;
    private static final Duration CALL_MAX = Duration.ofSeconds(5);

    private final HttpClient http = HttpClient.newHttpClient();
    private final String pods;
    private final List<String> nodes;
    private final List<ExtenderClient> extenders;
    private final PodAudit audit;
    private final Random random;
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(THREADS);
    private final AtomicInteger made = new AtomicInteger();
    private final Map<String, Integer> refusals = new ConcurrentHashMap<>();
    private volatile boolean ceased;

    /**
     * Begins.
     *
     * @param pods URL of the collection of pods
     */
    PodLoad(String pods, List<String> nodes, List<String> extenders, PodAudit audit, long seed) {
        this.pods = pods;
        this.nodes = nodes;
        this.extenders =
                extenders.stream().map(url -> new ExtenderClient(url, CALL_MAX)).toList();
        this.audit = audit;
        random = new Random(seed);
        for (int i = 0; i < PODS; i++) {
            run(this::begin, i * 50);
        }
    }

    private interface Task {
        void run() throws IOException, InterruptedException;
    }

    private void run(Task task, int delayMs) {
        threads.schedule(
                () -> {
                    try {
                        task.run();
                    } catch (IOException away) {
                        refusals.merge(away.toString(), 1, Integer::sum);
                    } catch (InterruptedException ended) {
                        Thread.currentThread().interrupt();
                    } catch (RuntimeException unexpected) {
                        refusals.merge("unexpected: " + unexpected, 1, Integer::sum);
                    }
                },
                delayMs,
                TimeUnit.MILLISECONDS);
    }

    private void begin() throws IOException, InterruptedException {
        if (ceased) {
            return;
        }
        int number = made.incrementAndGet();
        var name = "pod-" + number;
        var amounts = new Resources(250L * (1 + chance(10)), (1L + chance(10)) << 30);
        var pod = create(name, amounts, number % 2 == 0);
        run(() -> place(pod, number), 0);
        if (number % 3 == 0) {
            run(() -> place(pod, number + 1), 0);
        }
        run(() -> end(name), LIFE_MS / 4 + chance(LIFE_MS));
    }

    private JsonObject create(String name, Resources amounts, boolean guaranteed)
            throws IOException, InterruptedException {
        audit.created(name, amounts, guaranteed);
        var both = new JsonObject()
                .put("cpu", amounts.milliCpu() + "m")
                .put("memory", Long.toString(amounts.memoryBytes()));
        var resources = new JsonObject().put("requests", both);
        if (guaranteed) {
            resources.put("limits", both);
        }
        return new JsonObject(send("POST", pods, """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","namespace":"default"},
             "spec":{"schedulerName":"another","containers":[{"name":"main","image":"example/main:1",
               "resources":%s}]}}\
            """.formatted(name, resources.encode())));
    }

    private synchronized int chance(int bound) {
        return random.nextInt(bound);
    }

    private void place(JsonObject pod, int turn) throws IOException, InterruptedException {
        if (!audit.waits(pod.getJsonObject("metadata").getString("name"))) {
            return;
        }
        run(() -> place(pod, turn + 1), BACK_OFF_MS + chance(BACK_OFF_MS));
        var extender = extenders.get(turn % extenders.size());
        var fit = extender.filter(pod, nodes);
        if (!fit.isEmpty()) {
            var refusal = extender.bind(pod, fit.get(chance(fit.size())));
            if (!refusal.isEmpty()) {
                refusals.merge(refusal.replaceAll("[0-9.]+", "N"), 1, Integer::sum);
            }
        }
    }

    private void end(String name) throws IOException, InterruptedException {
        audit.ends(name);
        send("DELETE", pods + "/" + name + "?gracePeriodSeconds=0", "");
        begin();
    }

    /** Creates no more pods, and deletes those that wait. */
    void cease() throws IOException, InterruptedException {
        ceased = true;
        for (int number = 1; number <= made.get(); number++) {
            var name = "pod-" + number;
            if (audit.waits(name)) {
                audit.ends(name);
                send("DELETE", pods + "/" + name + "?gracePeriodSeconds=0", "");
            }
        }
    }

    /** Creates a Guaranteed pod that stays. */
    void createLasting(String name, Resources amounts) throws IOException, InterruptedException {
        var pod = create(name, amounts, true);
        run(() -> place(pod, 0), 0);
    }

    /** Why binds failed, and how often. */
    Map<String, Integer> refusals() {
        return Map.copyOf(refusals);
    }

    private String send(String method, String url, String body) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(url))
                .timeout(CALL_MAX)
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body))
                .build();
        return http.send(request, BodyHandlers.ofString()).body();
    }

    @Override
    public void close() {
        ceased = true;
        threads.shutdownNow();
        http.shutdownNow();
    }
}
