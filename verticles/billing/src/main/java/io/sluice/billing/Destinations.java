package io.sluice.billing;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.billing.outbox.BatchForm;
import io.sluice.billing.outbox.OutboxConfig;
import io.sluice.billing.outbox.QueueSpec;
import io.sluice.billing.outbox.delivery.DeliverySchedule;
import io.sluice.billing.outbox.delivery.Destination;
import io.sluice.billing.sink.AzureBlobSink;
import io.sluice.billing.sink.AzureBlobSinkConfig;
import io.sluice.billing.sink.EventKind;
import io.sluice.billing.sink.HttpSink;
import io.sluice.billing.sink.ObjectKeys;
import io.sluice.billing.sink.QueueId;
import io.sluice.billing.sink.S3Sink;
import io.sluice.billing.sink.S3SinkConfig;
import io.sluice.billing.sink.file.FileSink;
import io.sluice.billing.sink.file.FileSinkConfig;
import io.sluice.shell.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** Makes a destination for each sink that is switched on. */
final class Destinations {
    /** A write to disk that takes longer counts as failed. */
    private static final Duration FILE_TIMEOUT = Duration.ofSeconds(30);

    private static final String FILE = "file";
    private static final Backoff RETRIES = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(60));

    private final List<Destination> destinations = new ArrayList<>();

    private final MeterRegistry meters;

    private Destinations(MeterRegistry meters) {
        this.meters = meters;
    }

    static List<Destination> of(BillingConfig config, MeterRegistry meters) {
        var made = new Destinations(meters);
        made.billing(config);
        made.scaling(config.scalingEvents());
        return List.copyOf(made.destinations);
    }

    private void billing(BillingConfig config) {
        var section = BillingConfig.SECTION;
        var limit = config.outbox().checked(section + ".outbox");
        if (config.file().on()) {
            file(EventKind.BILLING, config.file(), section + ".file", limit, deleted(config));
            // Account lines are dropped rather than holding up a bill.
            var never = new OutboxConfig(limit.maxSize(), limit.maxAge(), OutboxConfig.Overflow.DROP_OLDEST);
            file(EventKind.ACCOUNT, config.file(), section + ".file", never, () -> {});
        }
        if (config.http().on()) {
            var http = config.http();
            var id = new QueueId(EventKind.BILLING, "http");
            destinations.add(new Destination(
                    new QueueSpec(id, BatchForm.JSON_OBJECT, http.maxBatchSize(), ObjectKeys.none()::apply, limit),
                    new HttpSink(http, section + ".http"),
                    pace(http.pushEvery(), http.pushTimeout())));
        }
        s3(EventKind.BILLING, config.s3(), ObjectKeys.usage(config.s3().prefix()), limit);
        azureBlob(
                EventKind.BILLING,
                config.azureBlob(),
                section,
                ObjectKeys.usage(config.azureBlob().prefix()),
                limit);
    }

    private void scaling(ScalingEventsConfig config) {
        var section = ScalingEventsConfig.SECTION;
        var limit = config.outbox().checked(section + ".outbox");
        if (config.file().on()) {
            file(EventKind.SCALING_EVENTS, config.file(), section + ".file", limit, () -> {});
        }
        s3(
                EventKind.SCALING_EVENTS,
                config.s3(),
                ObjectKeys.scalingEvents(config.s3().prefix()),
                limit);
        azureBlob(
                EventKind.SCALING_EVENTS,
                config.azureBlob(),
                section,
                ObjectKeys.scalingEvents(config.azureBlob().prefix()),
                limit);
    }

    /** With another sink, files are a copy of what that one received, and may go. */
    private Runnable deleted(BillingConfig config) {
        if (config.http().on() || config.s3().on() || config.azureBlob().on()) {
            return () -> {};
        }
        var files = Counter.builder("sluice.billing.files.deleted")
                .description("Files of bills deleted for newer ones, where no other sink has these bills")
                .tag("queue", new QueueId(EventKind.BILLING, FILE).label())
                .register(meters);
        return files::increment;
    }

    private void file(EventKind kind, FileSinkConfig file, String section, OutboxConfig limit, Runnable deleted) {
        var id = new QueueId(kind, FILE);
        destinations.add(new Destination(
                new QueueSpec(id, BatchForm.NDJSON, file.maxBatchSize(), ObjectKeys.none()::apply, limit),
                new FileSink(file, section, kind, deleted),
                pace(file.pushEvery(), FILE_TIMEOUT)));
    }

    private void s3(EventKind kind, S3SinkConfig s3, BiFunction<Instant, String, String> names, OutboxConfig limit) {
        if (s3.on()) {
            var id = new QueueId(kind, "s3");
            destinations.add(new Destination(
                    new QueueSpec(id, BatchForm.NDJSON_GZIP, s3.maxBatchSize(), names::apply, limit),
                    new S3Sink(s3),
                    pace(s3.pushEvery(), s3.pushTimeout())));
        }
    }

    private void azureBlob(
            EventKind kind,
            AzureBlobSinkConfig azure,
            String section,
            BiFunction<Instant, String, String> names,
            OutboxConfig limit) {
        if (azure.on()) {
            var id = new QueueId(kind, "azureblob");
            destinations.add(new Destination(
                    new QueueSpec(id, BatchForm.NDJSON_GZIP, azure.maxBatchSize(), names::apply, limit),
                    new AzureBlobSink(azure, section + ".azureBlob"),
                    pace(azure.pushEvery(), azure.pushTimeout())));
        }
    }

    private static DeliverySchedule pace(Duration pushEvery, Duration pushTimeout) {
        return new DeliverySchedule(pushEvery, pushTimeout, RETRIES);
    }
}
