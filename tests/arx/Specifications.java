import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.deidentifier.arx.DataType;
import org.deidentifier.arx.aggregates.HierarchyBuilder;
import org.deidentifier.arx.aggregates.HierarchyBuilderDate;
import org.deidentifier.arx.aggregates.HierarchyBuilderDate.Granularity;
import org.deidentifier.arx.aggregates.HierarchyBuilderGroupingBased.Level;
import org.deidentifier.arx.aggregates.HierarchyBuilderIntervalBased;
import org.deidentifier.arx.aggregates.HierarchyBuilderIntervalBased.Range;
import org.deidentifier.arx.aggregates.HierarchyBuilderOrderBased;
import org.deidentifier.arx.aggregates.HierarchyBuilderPriorityBased;
import org.deidentifier.arx.aggregates.HierarchyBuilderRedactionBased;
import org.deidentifier.arx.aggregates.HierarchyBuilderRedactionBased.Order;

/** Writes the .ahs files of this folder with ARX, and the hierarchies that ARX builds from them. */
public class Specifications {
    public static void main(String[] arguments) throws Exception {
        HierarchyBuilderIntervalBased<Long> age = HierarchyBuilderIntervalBased.create(
            DataType.INTEGER, new Range<Long>(0L, 0L, 0L), new Range<Long>(81L, 100L, 120L));
        age.addInterval(0L, 20L);
        age.addInterval(20L, 33L);
        age.getLevel(0).addGroup(2);
        age.getLevel(1).addGroup(3);
        save("age", age, numbers(120, 1));

        HierarchyBuilderIntervalBased<Double> dose = HierarchyBuilderIntervalBased.create(DataType.DECIMAL);
        dose.addInterval(0d, 1.8d, "very low");
        dose.addInterval(1.8d, 2.6d, "low");
        dose.addInterval(2.6d, 3.4d);
        dose.addInterval(3.4d, 4.1d, "borderline");
        dose.getLevel(0).addGroup(2, "under 2.6");
        dose.getLevel(0).addGroup(2, "2.6 and above");
        save("dose", dose, new String[] { "0", "0.5", "1.8", "2.59", "2.6", "3", "3.4", "4", "4.05" });

        save("zip", HierarchyBuilderRedactionBased.create(Order.LEFT_TO_RIGHT, Order.RIGHT_TO_LEFT, '#'),
             new String[] { "47906", "47907", "53706", "08901" });
        save("number", HierarchyBuilderRedactionBased.create(Order.RIGHT_TO_LEFT, Order.LEFT_TO_RIGHT, '0', '*'),
             new String[] { "7", "17", "207", "1000" });

        HierarchyBuilderOrderBased<String> disease = HierarchyBuilderOrderBased.create(
            DataType.STRING, new String[] { "cold", "flu", "pneumonia", "gastritis", "ulcer", "cancer" });
        disease.getLevel(0).addGroup(3, "respiratory");
        disease.getLevel(0).addGroup(2, "stomach");
        disease.getLevel(0).addGroup(1, "other");
        disease.getLevel(1).addGroup(2, "mild");
        disease.getLevel(1).addGroup(1, "severe");
        save("disease", disease, new String[] { "cold", "flu", "pneumonia", "gastritis", "ulcer", "cancer" });

        HierarchyBuilderOrderBased<Long> score = HierarchyBuilderOrderBased.create(DataType.INTEGER, true);
        score.getLevel(0).addGroup(2);
        score.getLevel(1).addGroup(2);
        save("score", score, new String[] { "10", "9", "8", "1", "2" });

        save("day", HierarchyBuilderDate.create(
            DataType.createDate("dd.MM.yyyy"), Granularity.DAY_MONTH_YEAR, Granularity.MONTH_YEAR, Granularity.QUARTER_YEAR,
            Granularity.YEAR, Granularity.DECADE), new String[] { "05.01.2024", "31.12.1999" });
        save("week", HierarchyBuilderDate.create(DataType.createDate("yyyy-MM-dd"), Granularity.WEEK_YEAR, Granularity.YEAR),
             new String[] { "2024-01-05" });

        Map<String, Integer> priorities = new LinkedHashMap<>();
        priorities.put("a", 1);
        priorities.put("b", 2);
        HierarchyBuilderPriorityBased.create(priorities).save("priority.ahs");
    }

    private static void save(String name, HierarchyBuilder<?> builder, String[] values) throws Exception {
        builder.save(name + ".ahs");
        try (PrintWriter column = new PrintWriter(name + "-values.csv", StandardCharsets.UTF_8)) {
            column.print("value\n");
            for (String value : values) column.print(value + "\n");
        }
        String[][] rows = builder.build(values.clone()).getHierarchy();
        try (PrintWriter lines = new PrintWriter(name + "-arx.csv", StandardCharsets.UTF_8)) {
            for (String[] row : rows) lines.print(String.join(";", row) + "\n");
        }
    }

    private static String[] numbers(int count, int step) {
        List<String> numbers = new ArrayList<>();
        for (int number = 0; number < count; number += step) numbers.add(String.valueOf(number));
        return numbers.toArray(new String[0]);
    }
}
