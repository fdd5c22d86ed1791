package io.sluice.billing.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObjectKeysTest {
    private static final Instant CLOSED_AT = Instant.parse("2025-03-04T05:06:07.999999Z");

    @ParameterizedTest
    @CsvSource({
        "usage, usage/",
        "usage/, usage/",
        "usage//, usage/",
        "a/b, a/b/",
        "'', ''",
        "/, ''",
    })
    void billingObjectsLieInAFolderOfTheirHourUnderTheTrimmedPrefix(String prefix, String folder) {
        assertThat(ObjectKeys.usage(prefix).apply(CLOSED_AT, "Kx3"))
                .isEqualTo(folder + "year=2025/month=03/day=04/hour=05/05:06:07Z_Kx3.ndjson.gz");
    }

    @Test
    void scalingEventsLieInAFolderOfTheirHourUnderThePrefix() {
        assertThat(ObjectKeys.scalingEvents("scal").apply(CLOSED_AT, "Kx3"))
                .isEqualTo("scal/2025/03/04/05/events_Kx3.ndjson.gz");
    }

    @Test
    void hoursAreThoseOfUtcOverTheTurnOfAYear() {
        assertThat(ObjectKeys.usage("").apply(Instant.parse("2026-01-01T01:30:00+02:00"), "Kx3"))
                .isEqualTo("year=2025/month=12/day=31/hour=23/23:30:00Z_Kx3.ndjson.gz");
        assertThat(ObjectKeys.scalingEvents("p").apply(Instant.parse("2026-01-01T01:30:00+02:00"), "Kx3"))
                .isEqualTo("p/2025/12/31/23/events_Kx3.ndjson.gz");
    }

    @Test
    void whatIsNoObjectIsNamedByItsUuidAlone() {
        assertThat(ObjectKeys.none().apply(CLOSED_AT, "Kx3")).isEqualTo("Kx3");
    }
}
