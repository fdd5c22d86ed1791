package io.sluice.billing;

import io.sluice.billing.outbox.Outbox;
import io.sluice.billing.outbox.delivery.Destination;
import io.sluice.shell.Dumps;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** Shows the state of metering and of the queues in diagnostic dumps. */
final class BillingDump implements Dumps.Source {
    private static final String METERING = "metering";
    private static final String QUEUES = "queues";
    private static final String GONE = "null";

    private final Context home;
    private final BillingClock clock;
    private final Metering metering;
    private final Outbox outbox;
    private final List<Destination> destinations;

    /** @param home the context on which {@code metering} may be called */
    BillingDump(Context home, BillingClock clock, Metering metering, Outbox outbox, List<Destination> destinations) {
        this.home = home;
        this.clock = clock;
        this.metering = metering;
        this.outbox = outbox;
        this.destinations = destinations;
    }

    @Override
    public Future<List<String>> keys() {
        return Future.succeededFuture(List.of(QUEUES, METERING));
    }

    @Override
    public Future<String> read(String key) {
        return switch (key) {
            case METERING -> metering();
            case QUEUES -> Future.succeededFuture(queues().encode());
            default -> Future.succeededFuture(GONE);
        };
    }

    private Future<String> metering() {
        var answer = Promise.<String>promise();
        home.runOnContext(turn -> {
            var census = metering.census();
            answer.complete(new JsonObject()
                    .put("metered", census.metered())
                    .put("missing", census.missing())
                    .put("refused", census.refused())
                    .put("clockAhead", clock.ahead().toString())
                    .put("givenUp", census.givenUp())
                    .encode());
        });
        return answer.future();
    }

    private JsonObject queues() {
        var all = new JsonObject();
        for (var destination : destinations) {
            var id = destination.queue().id();
            var view = outbox.view(id);
            all.put(
                    id.label(),
                    new JsonObject()
                            .put("open", view.open())
                            .put("batches", view.batches())
                            .put("events", view.events())
                            .put("bytes", view.bytes())
                            .put("oldest", view.oldest().map(Object::toString).orElse(""))
                            .put("lostEvents", view.lost().events())
                            .put("quarantined", view.quarantined()));
        }
        return all;
    }
}
