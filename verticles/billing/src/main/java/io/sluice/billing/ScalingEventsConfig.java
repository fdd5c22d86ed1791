package io.sluice.billing;

import io.sluice.billing.outbox.OutboxConfig;
import io.sluice.billing.sink.AzureBlobSinkConfig;
import io.sluice.billing.sink.S3SinkConfig;
import io.sluice.billing.sink.file.FileSinkConfig;
import java.time.Duration;
import java.util.Objects;

/**
 * Where scaling events are sent: events for each desired and each granted size. Without a sink none are sent.
 *
 * @param regionName the region's name in each event
 * @param outbox how much may wait for each sink
 * @param file the sink that writes lines to files on this machine
 * @param s3 the sink that writes objects of a bucket; its prefix is required
 * @param azureBlob the sink that writes blobs of a container; its prefix is required
 */
public record ScalingEventsConfig(
        String regionName, OutboxConfig outbox, FileSinkConfig file, S3SinkConfig s3, AzureBlobSinkConfig azureBlob) {
    static final String SECTION = "billing.scalingEvents";

    /** No scaling events. */
    public static final ScalingEventsConfig DEFAULTS = new ScalingEventsConfig(
            "",
            new OutboxConfig(1L << 26, Duration.ofDays(1), OutboxConfig.Overflow.DROP_OLDEST),
            FileSinkConfig.DEFAULTS,
            S3SinkConfig.DEFAULTS,
            AzureBlobSinkConfig.DEFAULTS);

    public ScalingEventsConfig {
        Objects.requireNonNull(regionName, "regionName");
        outbox.checked(SECTION + ".outbox");
        file.checked(SECTION + ".file");
        s3.checkedWithPrefix(SECTION + ".s3");
        azureBlob.checkedWithPrefix(SECTION + ".azureBlob");
        if (regionName.isBlank() && (file.on() || s3.on() || azureBlob.on())) {
            throw new IllegalArgumentException(
                    SECTION + ".regionName must not be blank where scaling events have a sink");
        }
    }
}
