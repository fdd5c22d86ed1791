package io.sluice.billing;

import io.sluice.billing.outbox.QueueLimit;
import io.sluice.billing.sink.AzureBlobSinkConfig;
import io.sluice.billing.sink.FileSinkConfig;
import io.sluice.billing.sink.S3SinkConfig;
import java.time.Duration;
import java.util.Objects;

/**
 * Where changes of sizes, wanted and made, are told beside the bills. Without a sink nobody is told.
 *
 * @param regionName named in each event
 * @param outbox how much may wait for each sink
 * @param file as lines of files on this machine
 * @param s3 as objects of a bucket; the prefix is needed
 * @param azureBlob as blobs of a container; the prefix is needed
 */
public record ScalingEventsConfig(
        String regionName, OutboxConfig outbox, FileSinkConfig file, S3SinkConfig s3, AzureBlobSinkConfig azureBlob) {
    static final String SECTION = "billing.scalingEvents";

    /** Nobody is told. */
    public static final ScalingEventsConfig DEFAULTS = new ScalingEventsConfig(
            "",
            new OutboxConfig(1L << 26, Duration.ofDays(1), QueueLimit.Overflow.DROP_OLDEST),
            FileSinkConfig.DEFAULTS,
            S3SinkConfig.DEFAULTS,
            AzureBlobSinkConfig.DEFAULTS);

    public ScalingEventsConfig {
        Objects.requireNonNull(regionName, "regionName");
        outbox.limit(SECTION + ".outbox");
        file.checked(SECTION + ".file");
        s3.checkedWithPrefix(SECTION + ".s3");
        azureBlob.checkedWithPrefix(SECTION + ".azureBlob");
        if (regionName.isBlank() && (file.on() || s3.on() || azureBlob.on())) {
            throw new IllegalArgumentException(
                    SECTION + ".regionName must name the region where scaling events go anywhere, not be blank");
        }
    }
}
