package io.sluice.shell.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ConfigTextTest {
    @Test
    void hasATextForEachKeyAndForNothingElse() {
        assertThat(ConfigText.of(Sample.DEFAULTS).keySet())
                .containsExactlyElementsOf(ConfigKeys.of(Sample.class).paths());
    }

    @Test
    void isReadBackAsTheSameConfig() {
        var properties = new TreeMap<String, String>();
        var lists = ConfigKeys.of(Sample.class);
        ConfigText.of(Sample.DEFAULTS).forEach((path, text) -> {
            if (lists.shape(path).orElseThrow() != ConfigKeys.Shape.SECTIONS) {
                properties.put("sluice." + path, text);
            }
        });

        var sources = new ConfigSources(YamlText.parse("", "nothing"), Map.of(), properties);
        assertThat(ConfigReader.read(Sample.class, Sample.DEFAULTS, sources)).isEqualTo(Sample.DEFAULTS);
    }
}
